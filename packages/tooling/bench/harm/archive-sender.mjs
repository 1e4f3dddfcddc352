// Uploads several archives at a time from a thread of its own, so that the attack does not slow the measurement.
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// A real attacker has another machine. With low priority this thread uses only CPU time that the service leaves. On
// Linux the priority applies to this thread alone.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const { baseUrl, key, archive, uploads, atOnce, ahead } = workerData
const AGAIN_MS = 50
let [begun, done] = [0, 0]

const headers = { 'api-key': key, 'content-type': 'application/json' }

/** Repeats the request while the account has its maximum of open uploads: an attacker does not give up. */
async function insist(url, init) {
  for (;;) {
    const answer = await fetch(url, init)
    if (answer.ok) return answer
    if (answer.status !== 503) throw new Error(`an upload was answered ${answer.status}: ${await answer.text()}`)
    await wait(AGAIN_MS)
  }
}

async function upload(name) {
  const body = JSON.stringify({ name, executable_path: 'server' })
  const made = await insist(`${baseUrl}/v1/builds/upload-url`, { method: 'POST', headers, body })
  await insist((await made.json()).upload_url, { method: 'PUT', body: archive })
}

async function uploader() {
  while (begun < uploads) {
    await upload(`big-${begun++}`)
    if (++done === ahead) parentPort.postMessage('ahead')
  }
}

await Promise.all(Array.from({ length: atOnce }, uploader))
