import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { peerTokens, tokens } from '../src/index'

const AT = 1_800_000_000_000
const secret = tokens('a secret of thirty-two bytes or more')
const at = (now: number, of = secret) => peerTokens(of, { now: () => now })
const query = { nodeId: 'node-1', projectId: 'prj_1', instanceId: 'srv_1', limit: 5, since: AT }

it('a question of one node to another is read for a minute, by nodes with the same secret alone', async () => {
  const token = await at(AT).issue(query)
  expect(await at(AT + 59_000).read(token)).toEqual(query)
  expect(await at(AT + 71_000).read(token)).toBeUndefined()
  expect(await at(AT, tokens('another secret of 32 bytes or more')).read(token)).toBeUndefined()
  expect(await at(AT).read(`${token}x`)).toBeUndefined()
})

it('no other token of the installation is such a question, and such a question is no other token', async () => {
  const session = { accountId: 'acc_1', sessionId: 'ses_1', issuedAt: AT, expiresAt: AT + 60_000 }
  expect(await at(AT).read(await secret.issueSession(session))).toBeUndefined()
  expect(await secret.readSession(await at(AT).issue(query))).toBeUndefined()
  const forever = new SignJWT({ project_id: 'prj_1', limit: 5 }).setProtectedHeader({ alg: 'HS256' })
  const key = secret.derive('peer-call', 'server-logs')
  expect(await at(AT).read(await forever.setAudience('node-1').setSubject('srv_1').sign(key))).toBeUndefined()
})

it('a batch of an agent is passed for a minute, and its token is no question', async () => {
  const proof = { url: 'http://node-2.internal', machineId: 'fra-1', sha256: 'a'.repeat(64) }
  const token = await at(AT).issueBatch(proof)
  expect(await at(AT + 59_000).readBatch(token)).toEqual(proof)
  expect(await at(AT + 71_000).readBatch(token)).toBeUndefined()
  expect(await at(AT, tokens('another secret of 32 bytes or more')).readBatch(token)).toBeUndefined()
  expect(await at(AT).read(token)).toBeUndefined()
  expect(await at(AT).readBatch(await at(AT).issue(query))).toBeUndefined()
})
