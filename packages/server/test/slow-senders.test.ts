import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startInProcess } from './harness/in-process'

/** Sends bytes. Resolves with the bytes that came back, once the other side has closed. */
function sendAndWait(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

test('a sender whose headers never end is cut off, and others are served meanwhile', async () => {
  const { port, call } = await startInProcess({
    headerTimeouts: { headersTimeout: 200, connectionsCheckingInterval: 50 },
  })
  const slow = sendAndWait(port, 'GET /livez HTTP/1.1\r\nhost: localhost\r\nx-endless: ')
  expect((await call('GET /livez')).status).toBe(200)
  expect(await slow).toMatch(/^HTTP\/1\.1 408 /)
})
