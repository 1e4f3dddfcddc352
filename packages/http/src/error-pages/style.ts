/** Style of the error pages, with the colours of the start page and the console. */
export const ERROR_STYLE = `
      :root {
        --ground: #fbfbfc; --card: #fff; --line: #dcdce3; --ink: #1b1b21; --soft: #55555f; --accent: #5448c8;
        --caller: #8a5300; --state: #0b62a8; --ours: #b3261e; --code: #f4f4f6;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --ground: #101014; --card: #16161b; --line: #33333e; --ink: #ededf2; --soft: #b0b0bc; --accent: #a79dff;
          --caller: #e8b25a; --state: #78b8f4; --ours: #ff8a80; --code: #0c0c10;
        }
      }
      * { box-sizing: border-box; }
      html { scroll-behavior: smooth; }
      body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 Inter, system-ui, sans-serif; overflow-wrap: break-word; }
      main { max-width: 47rem; margin: 0 auto; padding: 1.75rem 1.5rem 4rem; }
      a { color: var(--accent); text-underline-offset: 0.2em; }
      a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
      nav { font-size: 0.9rem; color: var(--soft); }
      nav ol { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; margin: 0; padding: 0; }
      nav li + li::before { content: "/"; margin-right: 0.5rem; color: var(--line); }
      header { margin: 2.5rem 0 2rem; }
      h1 { margin: 0.75rem 0 0; font-size: clamp(1.5rem, 6vw, 2.1rem); line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
      h1.code { font-family: ui-monospace, monospace; font-weight: 650; letter-spacing: -0.03em; }
      header p { margin: 0.6rem 0 0; font-size: 1.1rem; color: var(--soft); }
      .facts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0; list-style: none; }
      .facts li { padding: 0.1rem 0.7rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); font-size: 0.85rem; color: var(--soft); }
      .caller { color: var(--caller); } .state { color: var(--state); } .ours { color: var(--ours); }
      .facts .caller, .facts .state, .facts .ours { border-color: currentColor; font-weight: 600; color: inherit; }
      .facts .caller { color: var(--caller); } .facts .state { color: var(--state); } .facts .ours { color: var(--ours); }
      h2 { margin: 2.25rem 0 0.5rem; font-size: 1.1rem; }
      section p { margin: 0.4rem 0; }
      .mend { padding: 1rem 1.25rem 1.1rem; margin-top: 1.75rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 8px; }
      .mend h2 { margin-top: 0; }
      code { font: 0.875em ui-monospace, monospace; background: var(--code); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
      pre { margin: 0.75rem 0; padding: 0.9rem 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border: 1px solid var(--line); border-radius: 8px; font: 0.85rem/1.5 ui-monospace, monospace; }
      pre code { background: none; padding: 0; font-size: 1em; }
      figcaption { font-size: 0.85rem; color: var(--soft); }
      figure { margin: 0; }
      details { margin: 0.5rem 0; }
      summary { cursor: pointer; color: var(--accent); }
      dl { margin: 0.5rem 0 0; }
      dt { margin-top: 1rem; font-size: 0.85rem; color: var(--soft); }
      dd { margin: 0.25rem 0 0; }
      .calls { list-style: none; margin: 0; padding: 0; }
      .calls li { padding: 0.2rem 0; line-height: 1.4; }
      .calls a { text-decoration: none; }
      .calls a:hover { text-decoration: underline; }
      .calls b { display: inline-block; min-width: 4.2rem; font: 600 0.75rem ui-monospace, monospace; color: var(--soft); }
      .near, .index { list-style: none; margin: 0.75rem 0 0; padding: 0; display: grid; gap: 0.6rem; }
      .near a, .index a {
        display: grid; grid-template-columns: 1fr auto; align-content: start; gap: 0.1rem 1rem; padding: 0.7rem 1rem; color: inherit; text-decoration: none;
        background: var(--card); border: 1px solid var(--line); border-radius: 8px;
      }
      .index a { height: 100%; }
      @media (min-width: 40rem) { .index { grid-template-columns: 1fr 1fr; } }
      .near a:hover, .index a:hover { border-color: var(--accent); }
      .near strong, .index strong { font: 600 0.9rem ui-monospace, monospace; color: var(--accent); overflow-wrap: anywhere; }
      .near span, .index span { grid-column: 1; font-size: 0.92rem; color: var(--soft); }
      .near em, .index em { font: 600 0.85rem ui-monospace, monospace; grid-row: 1; grid-column: 2; }
      footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 1.5rem; font-size: 0.9rem; color: var(--soft); }
    `
