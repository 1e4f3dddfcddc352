// Loaded into the service before anything else: on SIGUSR2 it collects garbage and writes down what it holds. Only for the soak.
import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const SETTLE_MS = 500

const file = process.env.SOAK_PROBE
// What the service starts is not probed.
delete process.env.NODE_OPTIONS
delete process.env.SOAK_PROBE

if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc')
  // Else the pages of the heap empty themselves unevenly, and what lies between what is held looks like growth for hours: V8 compacts
  // by itself only when memory is short.
  setFlagsFromString('--compact-on-every-full-gc')
  const collect = runInNewContext('gc')
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
    collect()
    // Buffers are freed beside the collection that finds them: the second one finds them gone.
    await wait(SETTLE_MS)
    collect()
    const held = process.memoryUsage()
    // And pages that a collection has emptied are given back beside it.
    await wait(SETTLE_MS)
    look(held)
  })
}
