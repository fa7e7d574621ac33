from __future__ import annotations

import errno
import multiprocessing
import os
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import platformdirs
import pytest

from cache import Store, StoreWarning, entry
from cache.store import SUFFIX

LARGE = entry.MAP_FROM // 8 + 1000  # float64 values: certainly mapped

ARRAYS = {
    "integers": np.arange(12, dtype=np.int32).reshape(3, 4),
    "scalar": np.array(2.5),
    "empty": np.zeros((0, 7), dtype=np.float32),
    "text": np.array(["a", "émigré", "日本"]),
    "empty text": np.array([], dtype="U3"),
    "flags": np.array([True, False, True]),
    "times": np.array(["2001-01-01", "NaT"], dtype="M8[s]"),
    "big endian": np.arange(3, dtype=">i8"),
}
SHAPES = [
    {},
    {"none": np.zeros((3, 0))},
    ARRAYS,
    ARRAYS | {"large": np.arange(LARGE) / 7, "last": np.zeros((2, 0))},
]


def never() -> dict[str, np.ndarray]:
    raise AssertionError("computed again")


def files(store: Store) -> list[Path]:
    return sorted(store.folder.iterdir())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "not" / "there yet")


@pytest.mark.parametrize("arrays", SHAPES, ids=["no array", "no value", "small", "large"])
def test_what_is_read_back_is_what_was_computed(
    store: Store, arrays: dict[str, np.ndarray]
) -> None:
    key = {"k": 10}
    assert not store.contains(key)
    computed = store.get_or_compute(key, lambda: arrays)
    assert store.contains(key)
    for got in (
        computed,
        store.get_or_compute(key, never),
        Store(store.folder).get_or_compute(key, never),
    ):
        assert list(got) == list(arrays)
        for name, array in arrays.items():
            assert type(got[name]) is np.ndarray
            assert (got[name].dtype, got[name].shape) == (array.dtype, array.shape)
            assert got[name].flags.writeable
            assert got[name].flags.c_contiguous
            assert got[name].flags.aligned
            np.testing.assert_array_equal(got[name], array)


def test_read_only_and_transposed_results_come_as_they_will_be_read(store: Store) -> None:
    turned = np.arange(6.0).reshape(2, 3).T
    turned.flags.writeable = False
    for _ in range(2):
        got = store.get_or_compute({}, lambda: {"x": turned})["x"]
        assert got.flags.writeable
        assert got.flags.c_contiguous
        np.testing.assert_array_equal(got, turned)


def test_writing_to_a_result_changes_nothing_stored(store: Store) -> None:
    for n in (10, LARGE):
        store.get_or_compute({"n": n}, lambda n=n: {"x": np.zeros(n)})
        store.get_or_compute({"n": n}, never)["x"][:] = 1
        assert not store.get_or_compute({"n": n}, never)["x"].any()


def test_large_entries_are_mapped(store: Store) -> None:
    store.get_or_compute({}, lambda: {"x": np.zeros(LARGE)})
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("this system does not list the mappings of a process")
    x = store.get_or_compute({}, never)["x"]
    assert files(store)[0].name in maps.read_text()
    del x
    assert files(store)[0].name not in maps.read_text()


@pytest.mark.parametrize("dtype", [object, [("a", "i4"), ("b", "f8")]])
def test_dtypes_without_plain_bytes_are_refused(store: Store, dtype: object) -> None:
    with pytest.raises(TypeError, match="'x' has dtype"):
        store.get_or_compute({}, lambda: {"x": np.zeros(2, dtype=dtype)})
    assert not store.contains({})


def test_keys_differ_by_value_and_type_but_not_by_order(store: Store) -> None:
    keys = [{"a": v} for v in (1, 1.0, True, "1", None, (1,), (1, 2), "true", float("nan"), 1e300)]
    keys += [{"b": 1}, {"a": 1, "b": 1}, {}]
    for number, key in enumerate(keys):
        store.get_or_compute(key, lambda number=number: {"x": np.array(number)})
    for number, key in enumerate(keys):
        assert store.get_or_compute(key, never)["x"] == number
    assert store.contains({"b": np.int64(1), "a": 1})
    with pytest.raises(TypeError, match="A key is made of"):
        store.contains({"a": {1, 2}})  # type: ignore[dict-item]


def test_what_compute_raises_passes_through_and_nothing_is_kept(store: Store) -> None:
    def fail() -> dict[str, np.ndarray]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.get_or_compute({}, fail)
    assert not store.contains({})
    assert store.get_or_compute({}, lambda: {"x": np.ones(1)})["x"] == 1


def damage_by_cutting(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 3)


def damage_by_emptying(path: Path) -> None:
    path.write_bytes(b"")


def damage_by_garbage(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def damage_by_text(path: Path) -> None:
    path.write_text("hello\n" * 10)


def damage_at(place: int):
    def damage(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[place] ^= 0x10
        path.write_bytes(content)

    return damage


@pytest.mark.parametrize("n", [100, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("known", [False, True], ids=["first reading", "read before"])
@pytest.mark.parametrize(
    "damage",
    [damage_by_cutting, damage_by_emptying, damage_by_garbage, damage_by_text]
    + [damage_at(place) for place in (0, 7, 9, 13, 20, -400, -1)],
)
def test_a_damaged_entry_is_computed_again_with_one_warning(store: Store, n, known, damage) -> None:
    key = {"n": n}
    expected = np.arange(n, dtype=float)
    store.get_or_compute(key, lambda: {"x": expected})
    if known:
        store.get_or_compute(key, never)
    damage(files(store)[0])
    with pytest.warns(StoreWarning, match="computed again") as caught:
        np.testing.assert_array_equal(
            store.get_or_compute(key, lambda: {"x": expected})["x"], expected
        )
    assert len(caught) == 1
    assert Path(caught[0].filename) == Path(__file__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(store.get_or_compute(key, never)["x"], expected)


def test_a_removed_entry_is_computed_again_silently(store: Store) -> None:
    store.get_or_compute({}, lambda: {"x": np.ones(1)})
    files(store)[0].unlink()
    assert store.get_or_compute({}, lambda: {"x": np.ones(2)})["x"].size == 2


def test_an_entry_under_another_name_is_not_taken_for_it(store: Store) -> None:
    store.get_or_compute({"k": 1}, lambda: {"x": np.ones(1)})
    store.get_or_compute({"k": 2}, lambda: {"x": np.ones(2)})
    first, second = files(store)
    first.replace(second)
    with pytest.warns(StoreWarning, match="another key"):
        sizes = [
            store.get_or_compute({"k": k}, lambda k=k: {"x": np.ones(k)})["x"].size for k in (1, 2)
        ]
    assert sizes == [1, 2]


def test_a_full_disk_costs_a_warning_not_the_result(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file, key, arrays) -> int:
        file.write(b"some")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(entry, "write_entry", full)
    with pytest.warns(StoreWarning, match="not saved.*No space left"):
        assert store.get_or_compute({}, lambda: {"x": np.ones(1)})["x"] == 1
    assert files(store) == []


def test_a_folder_that_cannot_be_made_costs_a_warning_not_the_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "folder")
    assert not store.contains({})
    with pytest.warns(StoreWarning, match="cannot be written"):
        assert store.get_or_compute({}, lambda: {"x": np.ones(1)})["x"] == 1


def used(store: Store, *names: str) -> None:
    """Read or write entries of 1,000 bytes and a little, one after the other."""
    for name in names:
        store.get_or_compute({"name": name}, lambda: {"x": np.zeros(1000, np.uint8)})
        time.sleep(0.02)  # longer than a tick of the file system's clock


def test_least_recently_used_entries_go_first(tmp_path: Path) -> None:
    store = Store(tmp_path, max_bytes=6000)
    foreign = tmp_path / "notes.txt"
    foreign.write_text("not an entry" * 1000)
    used(store, "a", "b", "c", "d", "e", "a", "f", "g")
    assert [name for name in "abcdefg" if store.contains({"name": name})] == [
        "a",
        "d",
        "e",
        "f",
        "g",
    ]
    assert foreign.exists()


def test_the_entry_just_written_stays(tmp_path: Path) -> None:
    store = Store(tmp_path, max_bytes=100)
    for name in "ab":
        used(store, name)
        assert store.contains({"name": name})
    assert len(files(store)) == 1


def test_what_other_processes_wrote_counts(tmp_path: Path) -> None:
    stores = [Store(tmp_path, max_bytes=20_000) for _ in range(3)]
    for turn in range(30):
        used(stores[turn % 3], str(turn))
        assert sum(path.stat().st_size for path in files(stores[0])) < 20_000 * (1 + 3 / 8)


def test_the_folder_is_not_listed_at_every_entry(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: looks.append(path) or scandir(path))
    for number in range(100):
        store.get_or_compute({"number": number}, lambda: {"x": np.ones(1)})
    assert len(looks) == 1


def test_remains_of_stopped_processes_are_removed_later(tmp_path: Path) -> None:
    old, new = tmp_path / "old.unfinished", tmp_path / "new.unfinished"
    for path in (old, new):
        path.write_text("")
    os.utime(old, (0, time.time() - 2 * 3600))
    used(Store(tmp_path), "a")
    assert not old.exists()
    assert new.exists()


def test_threads_compute_an_entry_once(store: Store) -> None:
    calls = []

    def slow() -> dict[str, np.ndarray]:
        calls.append(1)
        time.sleep(0.1)
        return {"x": np.arange(LARGE)}

    results: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: results.append(store.get_or_compute({}, slow)["x"]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(results) == 8
    assert all(np.array_equal(result, np.arange(LARGE)) for result in results)


def test_one_entry_may_be_computed_from_another(store: Store) -> None:
    def outer() -> dict[str, np.ndarray]:
        return {"x": store.get_or_compute({"step": 1}, lambda: {"x": np.ones(3)})["x"] + 1}

    assert store.get_or_compute({"step": 2}, outer)["x"].tolist() == [2, 2, 2]


def _contend(folder: Path, results) -> None:
    store = Store(folder, max_bytes=30 * LARGE)  # small: entries are also evicted under way
    wrong = 0
    for turn in range(60):
        number = turn % 6
        got = store.get_or_compute(
            {"number": number}, lambda number=number: {"x": np.full(LARGE, float(number))}
        )
        wrong += not (got["x"] == number).all()
    results.put(wrong)


def test_processes_may_want_the_same_entries(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    processes = [context.Process(target=_contend, args=(tmp_path, results)) for _ in range(3)]
    for process in processes:
        process.start()
    assert [results.get(timeout=60) for _ in processes] == [0, 0, 0]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert all(path.suffix == ".arrays" for path in tmp_path.iterdir())


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REUSEKNN_CACHE_DIR", str(tmp_path))
    assert Store().folder == tmp_path
    for unset in ("", None):
        if unset is None:
            monkeypatch.delenv("REUSEKNN_CACHE_DIR")
        else:
            monkeypatch.setenv("REUSEKNN_CACHE_DIR", unset)
        assert Store().folder == Path(platformdirs.user_cache_dir("reuseknn"))


def test_entries_are_removed_by_parts_of_their_keys(store: Store) -> None:
    keys = [{"ratings": name, "fold": fold} for name in ("mine", "theirs") for fold in (0, 1)]
    for key in keys:
        store.get_or_compute(key, lambda: ARRAYS)
    damaged = store.folder / f"damaged{SUFFIX}"
    damaged.write_bytes(b"no entry")
    assert store.remove(ratings="mine") == 2
    assert [store.contains(key) for key in keys] == [False, False, True, True]
    assert damaged.exists()
    assert store.remove(ratings="nobody's") == 0


def test_nothing_is_removed_from_a_store_without_a_folder(store: Store) -> None:
    assert store.remove(ratings="mine") == 0
