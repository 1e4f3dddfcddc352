// Loaded into the service before anything else: on SIGUSR2 it collects garbage and writes down what it holds. Only for the soak.
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import threads from 'node:worker_threads'
import { collect, collectElsewhere } from './collector.mjs'

const SETTLE_MS = 500
const COLLECTOR = new URL('./collector.mjs', import.meta.url).href

const file = process.env.SOAK_PROBE
// What the service starts is not probed.
delete process.env.NODE_OPTIONS
delete process.env.SOAK_PROBE

// But its threads are.
threads.Worker = class extends threads.Worker {
  constructor(program, options = {}) {
    super(program, { ...options, execArgv: [...(options.execArgv ?? []), '--import', COLLECTOR] })
  }
}
syncBuiltinESMExports()

let warnings = 0
process.on('warning', ({ name }) => {
  if (name === 'MaxListenersExceededWarning') warnings++
})
let looks = 0
const look = ({ heapUsed, heapTotal, external }) => {
  const { rss } = process.memoryUsage()
  const resources = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  writeFileSync(
    file,
    JSON.stringify({ look: ++looks, heapUsed, heapTotal, external, rss, resources, listeners, warnings }),
  )
}
process.on('SIGUSR2', async () => {
  collectElsewhere()
  collect()
  // Buffers are freed beside the collection that finds them: the second one finds them gone.
  await wait(SETTLE_MS)
  collectElsewhere()
  collect()
  const held = process.memoryUsage()
  // And pages that a collection has emptied are given back beside it.
  await wait(SETTLE_MS)
  look(held)
})
