// `npm run pictures:trace [folder]`: takes the picture of `docs/tracing.md` from the data of a collector: one match
// over two nodes on one PostgreSQL. Needs a build, PostgreSQL's programs and a Chromium.
import { join, resolve } from 'node:path'
import { findBrowser, startBrowser } from '../browser'
import { playTraced, startTracedCluster } from '../tracing/trace-of-a-match'
import { waterfall } from './waterfall'

const folder = resolve(process.argv[2] ?? 'docs/pictures')
const program = findBrowser()
if (program === undefined) throw new Error('there is no browser: install the package chromium')
const { cluster, collector, stop } = await startTracedCluster()
const browser = await startBrowser(program)
try {
  const players = await playTraced(cluster)
  const game = await collector.until(() =>
    collector.spans.find(({ name, traceId }) => name === 'game' && players.includes(traceId)),
  )
  const [match] = collector.of(game.traceId).filter(({ name }) => name.startsWith('match '))
  const others = players.filter((id) => match?.links.some(({ traceId }) => traceId === id && id !== game.traceId))
  const traces = [
    { title: 'The trace of the party whose match it is told as', spans: collector.of(game.traceId) },
    ...others.map((id) => ({ title: 'The trace of the other party, linked with it', spans: collector.of(id) })),
  ]
  const page = await browser.newPage({ viewport: { width: 1_100, height: 400 }, deviceScaleFactor: 2 })
  await page.setContent(waterfall(traces))
  const file = join(folder, 'trace.png')
  await page.screenshot({ path: file, fullPage: true })
  const told = traces.map(
    ({ spans }) => `${spans.length} spans of ${new Set(spans.map(({ node }) => node)).size} nodes`,
  )
  process.stdout.write(`${file}: ${told.join(', linked with ')}\n`)
} finally {
  await browser.close()
  await stop()
}
