// Sends bodies that never end, from a thread of its own, so that the attack does not slow the measurement.
import { request } from 'node:http'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

// A real attacker has another machine. With low priority this thread uses only CPU time that the service leaves. On
// Linux the priority applies to this thread alone.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const { url, bodies, bodyBytes } = workerData
const chunk = Buffer.alloc(64 * 1024, 7)

const uploads = Array.from({ length: bodies }, () => {
  const upload = { answered: 0, sent: 0 }
  upload.sender = request(url, { method: 'PUT', headers: { 'content-type': 'application/zip' } }, (answer) => {
    upload.answered = answer.statusCode ?? 0
    answer.resume()
  })
  upload.sender.on('error', () => {
    upload.answered ||= -1
  })
  const push = () => {
    if (upload.sent >= bodyBytes || upload.answered !== 0) return
    upload.sent += chunk.length
    upload.sender.write(chunk, push)
  }
  push()
  return upload
})

const watching = setInterval(() => {
  if (!uploads.every(({ sent, answered }) => sent >= bodyBytes || answered !== 0)) return
  clearInterval(watching)
  parentPort.postMessage({ taken: uploads.filter(({ answered }) => answered === 0).length })
}, 20)

parentPort.once('message', () => {
  for (const { sender } of uploads) sender.destroy()
  parentPort.close()
})
