// Plotly is packed, as a third of the file. The browser unpacks it and draws the figures as SVG.
document.addEventListener("DOMContentLoaded", async () => {
  const packed = Uint8Array.from(atob("{{ plotly }}"), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(unpacked).text();
  document.head.append(script);
  const template = {{ figure_template }};
  for (const source of document.querySelectorAll("script[data-figure]")) {
    const { data, layout, config } = JSON.parse(source.textContent);
    Plotly.newPlot(source.dataset.figure, data, { template, ...layout }, config);
  }
});
