import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentIn, JOINED, QUEUE, startForAgents, uploadArena } from '../harness/agents'
import { run, until } from '../harness/command'
import { temporaryFolder } from '../harness/folder'
import { playDuel, takesConnections } from '../harness/match'
import { SECRET, startServe } from '../harness/services'

/** Returns the environments of all processes of a game server: its supervisor and its program. */
function environmentsOf(instanceId: string): string[] {
  const readable = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8')
    } catch {
      return ''
    }
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(readable).filter((text) => text.includes(instanceId))
}

test('a match runs on the machine of an agent, and goes on while the agent is restarted; a revoked token ends the stream', async () => {
  const { call, url, operator, client, server, session, token } = await startForAgents()
  const cwd = temporaryFolder()
  const first = agentIn(cwd, url, token)
  await first.seen(JOINED)
  const folder = join(cwd, 'agent')
  expect(statSync(join(folder, 'agent')).mode & 0o777).toBe(0o600)
  await uploadArena(call, server)
  await call('DELETE /v1/queues/demo', { key: server })
  expect((await call('POST /v1/queues', { key: server, body: QUEUE })).status).toBe(201)
  const lobby = await playDuel(call, client)
  expect(await takesConnections(lobby)).toBe(true)
  const { body: list } = await call('GET /v1/servers', { key: server })
  expect(list.data).toMatchObject([{ status: 'running', node_id: 'fra-1', region: 'fra' }])
  const { instance_id: instanceId } = list.data[0]

  const environments = environmentsOf(instanceId)
  expect(environments.length).toBeGreaterThan(0)
  for (const environment of environments) expect(environment).not.toContain(token)

  const second = agentIn(cwd, url, token)
  expect(await second.exited).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/another agent runs with the data folder/),
  })
  const other = agentIn(temporaryFolder(), url, token)
  await other.seen(/the service refuses this agent: another agent is connected with the token of fra-1/)
  await other.end()

  first.signal('SIGTERM')
  expect((await first.exited).code).toBe(0)
  expect(await takesConnections(lobby)).toBe(true)
  const again = agentIn(cwd, url, token)
  await again.seen(JOINED)
  const logs = async () => {
    const { status, body } = await call(`GET /v1/servers/${instanceId}/logs`, { key: server })
    return status === 200 && body.logs.length > 0 ? body.logs : undefined
  }
  await until('the logs of the server', logs)
  expect((await call(`GET /v1/servers/${instanceId}`, { key: server })).body).toMatchObject({
    status: 'running',
    restarts: 0,
  })
  const machines = (await call('GET /v1/machines', { token: session })).body.machines
  expect(machines).toMatchObject([{ machine_id: 'fra-1', kind: 'agent', status: 'ready', servers: 1 }])

  expect((await call(`DELETE /v1/servers/${instanceId}`, { key: server })).status).toBeLessThan(300)
  await until('the end of the server', async () => ((await takesConnections(lobby)) ? undefined : true))
  expect((await operator('machines', 'revoke', 'fra-1')).code).toBe(0)
  await again.seen(/the service ended the stream of this agent: revoked/)
  await again.seen(/the service does not accept the token of this machine/)
  for (const command of [first, again, second, other]) expect(command.output).not.toContain(token)
})

test('a forged token is refused with a sentence, and faults of the configuration are told one a line', async () => {
  const { url } = await startServe(temporaryFolder(), { ORCHESTRATOR: 'agents' })
  const forged = agentIn(temporaryFolder(), url, `mt_live_${'a'.repeat(36)}`)
  await forged.seen(/the service does not accept the token of this machine: /)
  forged.signal('SIGTERM')
  expect((await forged.exited).code).toBe(0)

  const { code, stderr } = await run(['agent'], { cwd: temporaryFolder(), env: { ORCHESTRATOR: 'agones' } })
  expect(code).toBe(1)
  expect(stderr).toMatch(/MATCHYARD_URL: it is not set/)
  expect(stderr).toMatch(/MATCHYARD_MACHINE_TOKEN: it is not set/)
  expect(stderr).toMatch(/SERVER_HOST: it is not set/)
  expect(stderr).toMatch(/ORCHESTRATOR: "agones" is not known; give one of process, docker/)
  const help = await run(['agent', '--help'], { cwd: temporaryFolder() })
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/MATCHYARD_MACHINE_TOKEN/) })
  const serve = await run(['serve'], {
    cwd: temporaryFolder(),
    env: { ORCHESTRATOR: 'agents', WORKERS: '2', MATCHYARD_SECRET: SECRET },
  })
  expect(serve).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/WORKERS: with ORCHESTRATOR=agents a node is one process/),
  })
})
