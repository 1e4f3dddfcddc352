import { expect, test } from 'vitest'
import { readDevConfig } from '../../src/config/serve-config'
import { run } from '../harness/command'
import { temporaryFolder } from '../harness/folder'
import { goodSecret } from '../harness/services'

test('dev applies where it listens, how it is reached, its secret and its log', () => {
  const secret = goodSecret()
  expect(readDevConfig({})).toMatchObject({ host: undefined, secret: undefined, publicUrl: undefined })
  const environment = {
    HOST: '0.0.0.0',
    SERVER_HOST: 'games.example.com',
    PUBLIC_URL: 'https://play.example.com',
    LOG_LEVEL: 'warn',
    MATCHYARD_SECRET: secret,
    MAX_SERVERS: '3',
    OTEL_SDK_DISABLED: 'true',
    WORKERS: '',
  }
  expect(readDevConfig(environment)).toMatchObject({
    host: '0.0.0.0',
    serverHost: 'games.example.com',
    publicUrl: 'https://play.example.com',
    logLevel: 'warn',
    secret,
    limits: { maxServers: 3 },
  })
})

test('dev does not start with settings of serve that it does not apply, and names each', async () => {
  const cwd = temporaryFolder()
  const env = { WORKERS: '2', BUILD_STORE: 's3' }
  const { code, stderr } = await run(['dev', '--port', '0', '--data', `${cwd}/data`], { cwd, env })
  expect(code).toBe(1)
  expect(stderr).toBe(
    'matchyard: WORKERS: dev does not apply it; unset it, or run serve\n' +
      'matchyard: BUILD_STORE: dev does not apply it; unset it, or run serve\n',
  )
})
