import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// Node accepts one connection in each turn of its event loop (docs/adr/0130). Callers without a pause must not keep
// others out.
const CALLERS = fileURLToPath(new URL('./harness/greedy-callers.mjs', import.meta.url))

let service: Service
let studio: Studio
let listening: Listening
let path: string

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
  const { lobby_id } = await makeLobby(service, studio)
  path = `/v1/lobbies/${lobby_id}`
  listening = await listen(service.app)
})
afterAll(() => listening.close())

test('a hundred newcomers are answered beside two hundred callers that never rest, who are answered meanwhile', async () => {
  const args = [CALLERS, String(listening.port), path, studio.client]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  // Each newcomer takes one turn for its connection, and one for its call.
  expect(Number(stdout)).toBeLessThan(8_000)
})
