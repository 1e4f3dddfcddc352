import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store/fs'
import { EXECUTABLE_PATH, NETWORK_PORTS, packGameServer } from '@matchyard/example-game-server'
import { processOrchestrator } from '@matchyard/orchestrator/process'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { expect, it } from 'vitest'
import { Player, Tool } from './clients'

const { untilExit, untilState } = orchestratorProbe

it('passes the inspection as a build, and plays as a launched game server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'launched-'))
  const buildStore = fileBuildStore({ directory: join(folder, 'builds') })
  const orchestrator = processOrchestrator({
    dataDirectory: join(folder, 'servers'),
    buildStore,
    installationId: `ins_${process.pid}_${Date.now()}`,
    clock: { now: () => Date.now() },
  })
  await orchestrator.open()
  const instanceId = 'srv_launched'
  try {
    const archive = await packGameServer()
    await buildStore.receive('bld_1', one(archive), { maxBytes: 1e6 })
    const verdict = await buildStore.inspect('bld_1', { executablePath: EXECUTABLE_PATH }, () => {})
    expect(verdict).toMatchObject({ ok: true })

    const requests = NETWORK_PORTS.map(({ name, protocol, internal_port: internalPort }) => ({
      name,
      protocol,
      internalPort,
      tlsEnabled: false,
    }))
    const networkPorts = await orchestrator.proposePorts(requests)
    if (networkPorts === 'later') throw new Error('processes are given ports before they are started')
    const launch = { instanceId, attempt: 1 }
    const launched = await orchestrator.launch({
      ...launch,
      projectId: 'prj_1',
      matchId: null,
      readiness: 'port',
      region: 'iad',
      tier: '1x-1g',
      tierSize: { cpus: 1, memoryGib: 1 },
      build: { type: 'zip', buildId: 'bld_1', executablePath: EXECUTABLE_PATH },
      startupArgs: '',
      networkPorts,
      portRequests: requests,
      config: { instance_id: instanceId, teams: [{ name: 'red', players: [{ player_id: 'ann' }] }], token: 'secret' },
    })
    expect(launched).toEqual({ ok: true })
    await untilState(orchestrator, launch, 'ready')

    const [game, control] = networkPorts.map(({ externalPort }) => externalPort) as [number, number]
    const ann = await Player.open(game)
    expect(await ann.ask('hello ann')).toBe('welcome ann 1/1')
    const tool = await Tool.open(control)
    expect(JSON.parse(await tool.ask('config'))).toMatchObject({ instance_id: instanceId })
    ann.send('over')
    expect(await ann.next()).toBe('bye')
    ann.close()
    expect(await untilExit(orchestrator, launch)).toMatchObject({ code: 0, signal: null })
    expect((await orchestrator.logs(instanceId, { limit: 1 }))[0]?.message).toBe('ending: the match is over')
  } finally {
    await orchestrator.stop(instanceId, { graceMs: 0 })
    await orchestrator.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
})

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
