import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { Command } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { playDuel, takesConnections } from './harness/match'
import { startDev } from './harness/services'

test('SIGTERM leaves game servers running, the next start adopts them, and Ctrl-C stops them', async () => {
  const cwd = temporaryFolder()
  const first = await startDev(cwd)
  const { client_key: key, server_key: serverKey } = first.files.credentials
  const lobby = await playDuel(first.call, key)
  expect(await takesConnections(lobby)).toBe(true)
  first.command.signal('SIGTERM')
  expect(await first.command.exited).toMatchObject({ code: 0 })
  expect(await takesConnections(lobby)).toBe(true)

  const second = await startDev(cwd)
  const instance = `/v1/servers/${lobby.server.instance_id}`
  const adopted = await second.call(`GET ${instance}`, { key: serverKey })
  expect(adopted.body).toMatchObject({ status: 'running', restarts: 0, network_ports: lobby.server.network_ports })
  const again = await second.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key, player: 'ann' })
  expect(again.body).toMatchObject({ status: 'in_game', server: lobby.server })
  second.command.signal('SIGINT')
  expect(await second.command.exited).toMatchObject({ code: 0 })
  expect(await takesConnections(lobby)).toBe(false)

  const third = await startDev(cwd)
  expect((await third.call(`GET ${instance}`, { key: serverKey })).body.status).toBe('stopped')
  expect((await third.call(`GET /v1/lobbies/${lobby.lobby_id}`, { key, player: 'ann' })).body).toMatchObject({
    status: 'waiting',
    server: null,
    match_id: null,
  })
})

test('Ctrl-C the moment the port is bound stops the service as ever, and the game servers of its last life', async () => {
  const cwd = temporaryFolder()
  const first = await startDev(cwd)
  const lobby = await playDuel(first.call, first.files.credentials.client_key)
  first.command.signal('SIGTERM')
  await first.command.exited
  expect(await takesConnections(lobby)).toBe(true)

  // The signal comes at the earliest possible time. A user who polls /readyz could send it at this time by chance.
  const hasty = join(cwd, 'hasty.mjs')
  writeFileSync(
    hasty,
    `import { Server } from 'node:http'
    const { emit } = Server.prototype
    Server.prototype.emit = function (name, ...rest) {
      if (name === 'listening') process.kill(process.pid, 'SIGINT')
      return emit.call(this, name, ...rest)
    }`,
  )
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(hasty)}` }
  const second = new Command(['dev', '--port', '0', '--data', join(cwd, 'data')], { cwd, env })
  expect(await second.exited).toMatchObject({ code: 0, signal: null })
  expect(await takesConnections(lobby)).toBe(false)
})
