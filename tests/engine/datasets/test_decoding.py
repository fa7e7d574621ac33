"""Texts that are not UTF-8: other scripts in their encodings, accents as Western European."""

from __future__ import annotations

import pytest

from tests.engine.datasets.uploads import upload

CYRILLIC = "Сталкер Солярис Зеркало Москва слезам не верит Андрей Рублёв Летят журавли"
GREEK = "Ζορμπάς Κυνόδοντας Ευρυδίκη Ταξίδι στα Κύθηρα Το βλέμμα του Οδυσσέα"


@pytest.mark.parametrize(
    ("codec", "words"),
    [
        *(("cp1251", CYRILLIC), ("koi8-r", CYRILLIC), ("cp866", CYRILLIC), ("cp1253", GREEK)),
        ("shift_jis", "千と千尋の神隠し 七人の侍 東京物語 羅生門 となりのトトロ"),
        ("euc-jp", "千と千尋の神隠し 七人の侍 東京物語 羅生門 となりのトトロ"),
        ("gb18030", "霸王别姬 英雄 卧虎藏龙 花样年华 重庆森林 活着"),
        ("big5", "霸王別姬 英雄 臥虎藏龍 花樣年華 重慶森林"),
        ("euc-kr", "기생충 올드보이 살인의 추억 괴물 버닝"),
    ],
)
def test_other_scripts_are_read_in_their_encoding(codec: str, words: str) -> None:
    titles = [f"{first} {second}" for first in words.split() for second in words.split()]
    ratings = upload("".join(f"u{n},{title},3\n" for n, title in enumerate(titles)).encode(codec))
    assert ratings.items.tolist() == titles
    assert "is not UTF-8" in ratings.report.warnings[0]


def test_many_accents_are_still_western() -> None:
    titles = ["Amélie", "Señorita", "Größe", "façade", "Noël", "Brontë", "Élève", "déjà vu"]
    text = "".join(f"zoë,{title} {n},3\n" for n, title in enumerate(titles * 20))
    ratings = upload(text.encode("latin-1"))
    assert ratings.items[0] == "Amélie 0"
    assert "it was read as Latin-1" in ratings.report.warnings[0]


def test_letters_of_another_script_far_below_are_found() -> None:
    text = (
        "".join(f"u{n % 50},i{n},3\n" for n in range(20_000)) + "Тарковский,Сталкер и Зеркало,4\n"
    )
    ratings = upload(text.encode("cp1251"))
    assert (ratings.users[-1], ratings.items[-1]) == ("Тарковский", "Сталкер и Зеркало")
    assert "it was read as cp1251" in ratings.report.warnings[0]
