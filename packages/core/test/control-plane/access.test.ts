import type { Caller } from '@matchyard/core'
import { describe, expect, test } from 'vitest'
import { controlPlane, refusal, refused } from './service'

describe('the project that a call is about', () => {
  test('is a key’s own, whatever is named', async () => {
    const { matchyard, project } = await controlPlane()
    const [mine, theirs] = [await project(), await project()]
    const key = await matchyard.access.authenticateKey(mine.serverKey)
    expect(await matchyard.access.resolveProject('builds.list', key, theirs.projectId)).toBe(mine.projectId)
    expect(await matchyard.access.resolveProject('builds.list', key, undefined)).toBe(mine.projectId)
  })

  test('is the named one for a session, which must be the account’s', async () => {
    const { matchyard, project } = await controlPlane()
    const [mine, theirs] = [await project(), await project()]
    const session = await matchyard.access.authenticateSession(mine.token)
    expect(await matchyard.access.resolveProject('builds.list', session, mine.projectId)).toBe(mine.projectId)
    const foreign = await refused(matchyard.access.resolveProject('builds.list', session, theirs.projectId))
    const unknown = await refused(matchyard.access.resolveProject('builds.list', session, 'prj_nobody'))
    expect([foreign.code, unknown.code]).toEqual(['PROJECT_NOT_FOUND', 'PROJECT_NOT_FOUND'])
    // Both answers are alike except for the id that was sent, so that ids of others cannot be found out.
    expect(foreign.detail.replace(theirs.projectId, '')).toBe(unknown.detail.replace('prj_nobody', ''))
    const nameless = await refused(matchyard.access.resolveProject('builds.list', session, undefined))
    expect(nameless.details.issues).toMatchObject([{ path: 'project_id' }])
  })
})

describe('the table of permissions', () => {
  const caller = (kind: Caller['kind']) => ({ kind }) as Caller

  test('refuses a real credential of the wrong kind', async () => {
    const { matchyard } = await controlPlane()
    const check = (kind: Caller['kind'], operation: Parameters<typeof matchyard.access.authorize>[0]) =>
      refusal(Promise.resolve().then(() => matchyard.access.authorize(operation, caller(kind))))
    expect(await check('client', 'queues.create')).toBe('CREDENTIAL_NOT_ALLOWED')
    expect(await check('server', 'billing.plan')).toBe('CREDENTIAL_NOT_ALLOWED')
    expect(await check('session', 'lobbies.create')).toBe('CREDENTIAL_NOT_ALLOWED')
    expect(await check('session', 'servers.selfReady')).toBe('CREDENTIAL_NOT_ALLOWED')
    expect(await check('game-server', 'servers.list')).toBe('CREDENTIAL_NOT_ALLOWED')
  })
})

describe('the token of a game server', () => {
  async function running() {
    const plane = await controlPlane()
    const { projectId } = await plane.project()
    await plane.build(projectId)
    const server = await plane.matchyard.servers.create({ projectId, versionTag: 'arena', autoRestart: true })
    await plane.settle()
    const token = () => String(plane.orchestrator.launches.at(-1)?.config.token)
    return { ...plane, projectId, instanceId: server.id, token }
  }

  test('stands for the spawn that was given it', async () => {
    const { matchyard, token, instanceId, projectId } = await running()
    const who = await matchyard.access.authenticate({ bearer: token() })
    expect(who).toEqual({ kind: 'game-server', instanceId, attempt: 1, projectId })
  })

  test('is dead once the server was started again, and with the server', async () => {
    const { matchyard, token, instanceId, projectId, orchestrator, settle, clock } = await running()
    const first = token()
    await matchyard.servers.restart({ projectId, instanceId })
    await settle()
    orchestrator.exit(instanceId, { code: 1 })
    await settle()
    clock.advance(60_000)
    await settle()
    expect(token()).not.toBe(first)
    expect(await refusal(matchyard.access.authenticate({ bearer: first }))).toBe('INVALID_SESSION_TOKEN')
    expect(await matchyard.access.authenticate({ bearer: token() })).toMatchObject({ kind: 'game-server' })
    await matchyard.servers.stop({ projectId, instanceId })
    await settle()
    expect(await refusal(matchyard.access.authenticate({ bearer: token() }))).toBe('INVALID_SESSION_TOKEN')
  })

  test('cannot be made up or bent', async () => {
    const { matchyard, token, instanceId } = await running()
    const signature = token().slice(-43)
    const bent = [
      `srvt_${instanceId}_2_${signature}`,
      `srvt_${instanceId}_01_${signature}`,
      `srvt_srv_other_1_${signature}`,
      token().slice(0, -1),
      `${token()}x`,
      `srvt_${instanceId}_1_${'A'.repeat(43)}`,
      'srvt_',
    ]
    for (const bearer of bent) {
      expect(await refusal(matchyard.access.authenticate({ bearer }))).toBe('INVALID_SESSION_TOKEN')
    }
  })
})
