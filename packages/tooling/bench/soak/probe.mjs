// Loaded into the service before its own code: on SIGUSR2 it collects garbage and writes down the memory and resources
// held. Only for the soak.
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import threads from 'node:worker_threads'
import { collect, collectElsewhere } from './collector.mjs'

const SETTLE_MS = 500
const COLLECTOR = new URL('./collector.mjs', import.meta.url).href

const file = process.env.SOAK_PROBE
// Child processes of the service are not probed.
delete process.env.NODE_OPTIONS
delete process.env.SOAK_PROBE

// Worker threads of the service must be able to collect garbage on demand.
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
  // Buffers are freed in parallel to the collection that finds them, so only the second collection finds them gone.
  await wait(SETTLE_MS)
  collectElsewhere()
  collect()
  const held = process.memoryUsage()
  // Pages that a collection has emptied are also given back in parallel.
  await wait(SETTLE_MS)
  look(held)
})
