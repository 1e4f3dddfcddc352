import { expect, test } from 'vitest'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startDev } from './harness/services'

test('dev --lan hands the named address on, closes registration, and says what is closed', async () => {
  const { command, url, call, files } = await startDev(temporaryFolder(), ['--lan=127.0.0.1'])
  expect(files.credentials.base_url).toBe(url)
  const port = new URL(url).port
  expect(command.stdout).toContain(`Players and game servers on this network use http://127.0.0.1:${port}`)
  // The output is a pipe, on which a code for a camera makes no sense.
  expect(command.stdout).not.toMatch(/[█▀▄]/)
  const body = { email: 'a@b.example', password: 'a long password' }
  expect((await call('POST /v1/auth/register', { body })).body.code).toBe('REGISTRATION_CLOSED')
  const { email, password } = files.credentials
  expect((await call('POST /v1/auth/login', { body: { email, password } })).status).toBe(200)
  expect((await call('GET /metrics')).status).toBe(200)
  const proxied = await call('GET /metrics', { headers: { 'x-forwarded-for': '192.168.1.21' } })
  expect([proxied.status, proxied.body.code]).toEqual([404, 'NOT_FOUND'])
})

test('dev --lan does not start with another address, or with settings that it makes itself', async () => {
  const cwd = temporaryFolder()
  const dev = ['dev', '--port', '0', '--data', `${cwd}/data`]
  const wrong = await run([...dev, '--lan=192.0.2.99'], { cwd })
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/^matchyard: --lan: this machine has no address 192\.0\.2\.99; it has .*127\.0\.0\.1/)
  const contrary = await run([...dev, '--lan', '--host', '0.0.0.0'], { cwd, env: { SERVER_HOST: 'games.example.com' } })
  expect(contrary.code).toBe(1)
  expect(contrary.stderr).toBe(
    'matchyard: --host: --lan sets it; leave it out, or leave out --lan\n' +
      'matchyard: SERVER_HOST: --lan sets it; leave it out, or leave out --lan\n',
  )
})
