import type { CollectedSpan } from '../tracing/collector'

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
/** Colours of the nodes, in alphabetical order of the nodes' names. */
const COLOURS = ['#4f8ef7', '#f2994a', '#27ae60']
/** Number of lines that divide the time axis. */
const TICKS = 5
/** Smallest width of a bar, in percent of the width of the time axis. */
const NARROWEST = 0.35

interface Row {
  readonly span: CollectedSpan
  readonly depth: number
}

/**
 * Returns the spans of one trace in the order of a tree: each span below its parent, and spans with the same parent by
 * start time.
 */
function rowsOf(spans: readonly CollectedSpan[]): Row[] {
  const known = new Set(spans.map(({ spanId }) => spanId))
  const below = (parentId: string | undefined, depth: number): Row[] =>
    spans
      .filter((span) => (parentId === undefined ? !known.has(span.parentId) : span.parentId === parentId))
      .sort((a, b) => a.startedAt - b.startedAt)
      .flatMap((span) => [{ span, depth }, ...below(span.spanId, depth + 1)])
  return below(undefined, 0)
}

const duration = (ms: number): string =>
  ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`

/**
 * Returns an HTML page that draws traces below each other on one time axis. The colour shows the node that reported a
 * span.
 */
export function waterfall(
  traces: readonly { readonly title: string; readonly spans: readonly CollectedSpan[] }[],
): string {
  const all = traces.flatMap(({ spans }) => spans)
  const begin = Math.min(...all.map(({ startedAt }) => startedAt))
  const whole = Math.max(...all.map(({ endedAt }) => endedAt)) - begin
  const nodes = [...new Set(all.map(({ node }) => node))].sort()
  const colour = (node: string) => COLOURS[nodes.indexOf(node) % COLOURS.length]
  const place = (at: number) => ((at - begin) / whole) * 100
  const line = ({ span, depth }: Row): string => {
    const width = Math.max(NARROWEST, place(span.endedAt) - place(span.startedAt))
    const left = Math.min(place(span.startedAt), 100 - width)
    const linked = span.links.length === 0 ? '' : `<i>&#8646; ${span.links.length}</i>`
    return `<tr><td style="padding-left:${8 + depth * 18}px">${escaped(span.name)}${linked}</td>
      <td class="time"><b style="left:${left}%;width:${width}%;background:${colour(span.node)}"></b>
      <span style="${left > 55 ? `right:${100 - left}%;margin-right:6px` : `left:${left + width}%;margin-left:6px`}">${duration(span.endedAt - span.startedAt)}</span></td></tr>`
  }
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => duration((whole * tick) / TICKS))
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 20px; font: 13px/1.5 system-ui, sans-serif; background: #fff; color: #1f2933; width: 1060px }
    table { border-collapse: collapse; table-layout: fixed; width: 100%; margin-bottom: 14px } td { padding: 3px 8px; border-top: 1px solid #edf0f3 }
    td:first-child { width: 350px; white-space: nowrap; font-family: ui-monospace, monospace; font-size: 12px }
    .time { position: relative; background: linear-gradient(90deg, #edf0f3 1px, transparent 1px) 0 0 / 20% 100% }
    b { position: absolute; top: 6px; height: 12px; border-radius: 2px } .time span { position: absolute; color: #5b6770; font-size: 11px; top: 3px }
    i { font-style: normal; color: #8a94a0; margin-left: 8px } h2 { font-size: 13px; margin: 6px 0 } .axis td { border: 0; color: #5b6770; font-size: 11px }
    .axis div { display: flex; justify-content: space-between } .key b { position: static; display: inline-block; width: 12px; margin: 0 5px 0 14px }
    </style><div class="key">${nodes.map((node) => `<b style="background:${colour(node)}"></b>${escaped(node)}`).join('')}
    <span style="color:#5b6770;margin-left:24px">&#8646; links to spans of the other trace</span></div>
    ${traces.map(({ title, spans }) => `<h2>${escaped(title)}</h2><table>${rowsOf(spans).map(line).join('')}</table>`).join('')}
    <table class="axis"><tr><td></td><td style="padding:0"><div>${ticks.map((tick) => `<span>${tick}</span>`).join('')}</div></td></tr></table>`
}
