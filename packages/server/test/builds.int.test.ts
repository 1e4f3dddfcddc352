import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { packFolder } from '../src/operator/pack-folder'
import { readServiceFile, runningService } from '../src/operator/running-service'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { serveEnvironment, startServe } from './harness/services'

/** Makes a folder with a server that ends at once. This test does not check running servers. */
function gameIn(cwd: string): string {
  const folder = join(cwd, 'game')
  mkdirSync(join(folder, 'maps'), { recursive: true })
  writeFileSync(join(folder, 'server.sh'), '#!/bin/sh\n')
  writeFileSync(join(folder, 'maps', 'harbour.txt'), 'water')
  return folder
}

const exported = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^export (\w+)='([^']*)'$/gm)].map(([, name = '', value = '']) => [name, value]))

test('a new account goes by env to its shell, and by builds upload to its first build', async () => {
  const cwd = temporaryFolder()
  const data = serveEnvironment(cwd)
  const { url, call } = await startServe(cwd, data)
  const made = await run(['accounts', 'create', '--email', 'ann@example.com', '--json'], {
    cwd,
    env: { MATCHYARD_DATA: join(cwd, 'data'), PUBLIC_URL: url },
  })
  writeFileSync(join(cwd, 'account.json'), made.stdout)
  const shell = await run(['env', 'account.json'], { cwd })
  expect(shell).toMatchObject({ code: 0, stderr: '' })
  const env = exported(shell.stdout)
  expect(env).toMatchObject({ MATCHYARD_URL: url, MATCHYARD_CLIENT_KEY: expect.stringMatching(/^ck_live_/) })

  const folder = gameIn(cwd)
  chmodSync(join(folder, 'server.sh'), 0o600)
  const upload = () => run(['builds', 'upload', folder, '--name', 'arena', '--executable', 'server.sh'], { cwd, env })
  expect(await upload()).toMatchObject({ code: 0, stdout: 'arena, version 1, is ready (1 kB)\n', stderr: '' })
  const list = await call('GET /v1/builds?name=arena&status=ready', { key: env.MATCHYARD_SERVER_KEY ?? '' })
  expect(list.body).toMatchObject({ total: 1, data: [{ executable_path: 'server.sh' }] })
})

test('what stands in the way of an upload is told in a line that helps', async () => {
  const folder = gameIn(temporaryFolder())
  await expect(packFolder(folder, 'Server.sh')).rejects.toThrow(
    `--executable: there is no file Server.sh in ${folder}; there is maps/harbour.txt, server.sh`,
  )
  await expect(packFolder(`${folder}s`, 'server.sh')).rejects.toThrow(`${folder}s is no folder that can be read`)
  symlinkSync('/etc/passwd', join(folder, 'users'))
  await expect(packFolder(folder, 'server.sh')).rejects.toThrow(`users is a link: put the file itself into ${folder}`)
  expect(() => runningService({})).toThrow(/^MATCHYARD_URL and MATCHYARD_SERVER_KEY are not set: .*matchyard env/)
  const missing = join(folder, 'account.json')
  const advice = 'run this in the folder in which `npm start` or `matchyard dev` was run'
  expect(() => readServiceFile(relative('.', missing))).toThrow(`${missing} cannot be read; ${advice}`)
  expect(() => readServiceFile(join(folder, 'server.sh'))).toThrow(`server.sh is not JSON; ${advice}`)
})

test('the same files are the same archive, in whatever order and mode they came', async () => {
  const [one, other] = [gameIn(temporaryFolder()), gameIn(temporaryFolder())]
  chmodSync(join(other, 'server.sh'), 0o600)
  expect(await packFolder(one, 'server.sh')).toEqual(await packFolder(other, 'server.sh'))
})
