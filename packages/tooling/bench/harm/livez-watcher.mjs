// Calls `/livez` from a thread of its own, so that an attacker in the benchmark's main thread does not slow the
// measurement.
import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, everyMs, timeoutMs } = workerData
const looks = []
let over = false

const look = () =>
  new Promise((done) => {
    get(url, { signal: AbortSignal.timeout(timeoutMs) }, (answer) => answer.resume().once('close', done)).once(
      'error',
      done,
    )
  })

parentPort.once('message', () => {
  over = true
})
while (!over) {
  const startedAt = performance.now()
  await look()
  looks.push(performance.now() - startedAt)
  await wait(everyMs)
}
looks.sort((a, b) => a - b)
parentPort.postMessage({ p50: looks[Math.floor(looks.length / 2)] ?? 0, max: looks.at(-1) ?? 0 })
