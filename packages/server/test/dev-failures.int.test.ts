import { expect, test } from 'vitest'
import { temporaryFolder } from './harness/folder'
import { startDev } from './harness/services'

test('dev says in one line what is not isolated, and tells why a game server failed and what it said last', async () => {
  const { command, call, files } = await startDev(temporaryFolder())
  expect(command.output.match(/\[warn\]/g) ?? []).toEqual([])
  expect((command.output.match(/not fully isolated/g) ?? []).length).toBeLessThanOrEqual(1)
  // The demo game server cannot work without ports. It logs that and exits with code 2.
  const { server_key: key } = files.credentials
  const { status } = await call('POST /v1/servers', { key, body: { version_tag: 'demo-game', network_ports: [] } })
  expect(status).toBe(201)
  await command.seen(/\[warn\] a game server failed: .*2.*before it was ready build=demo-game version=1 /)
  await command.seen(/\[warn\] +\| neither PORT_GAME nor PORT_CONTROL is set/)
})
