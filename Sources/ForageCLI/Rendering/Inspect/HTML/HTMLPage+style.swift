extension HTMLPage {
  /// The style sheet: light and dark after the system, narrow and wide, for screen and print.
  static let style: HTML = """
    :root {
      color-scheme: light dark;
      --back: #f6f7f9; --card: #ffffff; --text: #1b1f24; --quiet: #5c6570; --line: #dde1e6; --accent: #2f7d4f; --none: #d3d8de;
      --warn: #9a5b00;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #101317; --card: #181c22; --text: #e3e7ec; --quiet: #98a2ae; --line: #2b313a; --accent: #58b37c; --none: #333b45;
        --warn: #e0a54a;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; max-width: 72rem; padding: 1.5rem clamp(.9rem, 3vw, 2.5rem) 2rem; background: var(--back); color: var(--text);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere;
    }
    h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
    h2 { font-size: .78rem; margin: 0 0 .7rem; color: var(--quiet); text-transform: uppercase; letter-spacing: .07em; }
    article + article { margin-top: 3rem; padding-top: 2rem; border-top: 1px solid var(--line); }
    .path { margin: .2rem 0 0; color: var(--quiet); font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
    .numbers, .languages ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; }
    .overview { margin-bottom: 2rem; }
    .overview div { overflow-x: auto; }
    .overview th, .overview td { padding-right: 1.2rem; text-align: left; white-space: nowrap; width: auto; }
    .overview th span { display: block; width: max-content; max-width: 24rem; color: var(--quiet); font-size: .78rem; line-height: 1.35; white-space: normal; }
    details { margin: .5rem 0 0; }
    summary { color: var(--accent); cursor: pointer; font-size: .88rem; }
    details p { color: var(--quiet); font-size: .88rem; margin: .3rem 0 0; }
    a { color: var(--accent); }
    .numbers { gap: .4rem 2rem; margin: 1.1rem 0 0; color: var(--quiet); }
    .numbers b { color: var(--text); font-size: 1.3rem; font-variant-numeric: tabular-nums; margin-right: .15rem; }
    .languages { margin-top: 1.2rem; }
    .languages > svg { display: block; width: 100%; height: 10px; border-radius: 5px; }
    .languages ul { gap: .25rem 1.2rem; margin-top: .6rem; font-size: .9rem; }
    .languages li svg { width: .65rem; height: .65rem; margin-right: .45rem; }
    .languages li span { color: var(--quiet); }
    .cards { columns: 2 24rem; column-gap: 1rem; margin-top: 1.4rem; }
    .card {
      break-inside: avoid; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.15rem 1.1rem;
      margin: 0 0 1rem;
    }
    .notes h2, .problem h2 { color: var(--warn); }
    .problem { margin-top: 1.2rem; }
    .problem p { margin: .3rem 0 0; }
    dl { display: grid; grid-template-columns: 6.8rem 1fr; gap: .3rem 1.1rem; margin: 0; }
    dt { grid-column: 1; color: var(--quiet); }
    dd { grid-column: 2; margin: 0; }
    figure, table { margin: 1.1rem 0 0; }
    h2 + figure, h2 + table { margin-top: 0; }
    figcaption, caption { color: var(--quiet); font-size: .88rem; text-align: left; padding-bottom: .35rem; }
    figcaption b, caption b { color: var(--text); font-weight: 600; margin-right: .4rem; }
    figcaption b { display: block; }
    table { border-collapse: collapse; width: 100%; font-size: .93rem; }
    th, td { padding: .28rem 0; vertical-align: top; font-variant-numeric: tabular-nums; }
    td, thead th + th { text-align: right; padding-left: 1rem; white-space: nowrap; width: 1%; }
    th { text-align: left; font-weight: 400; }
    thead th { color: var(--quiet); font-size: .78rem; padding-bottom: .1rem; }
    tbody tr + tr { border-top: 1px solid var(--line); }
    svg rect:not([fill]) { fill: var(--accent); }
    svg rect.none { fill: var(--none); }
    svg text { fill: var(--quiet); font-size: 10px; text-anchor: middle; }
    .bar { display: block; width: 100%; height: 3px; margin-top: .15rem; border-radius: 2px; background: var(--line); }
    .weeks { display: block; width: 100%; height: 80px; }
    .ends { display: flex; justify-content: space-between; margin: .25rem 0 .9rem; color: var(--quiet); font-size: .78rem; }
    .punch { display: grid; grid-template-columns: 210fr 288fr; gap: 1.2rem; align-items: end; }
    .punch svg { display: block; width: 100%; overflow: visible; }
    footer { margin-top: 1.6rem; color: var(--quiet); font-size: .8rem; }
    @media (max-width: 30rem) {
      dl { grid-template-columns: 1fr; gap: 0; }
      dd { grid-column: 1; }
      dt { margin-top: .5rem; font-size: .82rem; }
      table { font-size: .87rem; }
      td, thead th + th { padding-left: .45rem; }
      thead th { font-size: .72rem; overflow-wrap: normal; }
      .punch { grid-template-columns: 1fr; }
      .punch svg { max-width: 20rem; }
      .punch svg:first-child { max-width: 14.6rem; }
    }
    @media print {
      :root {
        color-scheme: light; --back: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #bbb; --accent: #2f7d4f; --none: #ccc;
      }
      body { padding: 0; max-width: none; font-size: 11px; }
      svg, .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      article { break-before: page; }
      article:first-child { break-before: auto; }
      footer { display: none; }
    }
    """
}
