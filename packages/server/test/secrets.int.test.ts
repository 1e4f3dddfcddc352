import { expect, test } from 'vitest'
import { run } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startDev } from './harness/services'

test('a secret is set from standard input, listed without its value, and deleted', async () => {
  const cwd = temporaryFolder()
  const { files, url } = await startDev(cwd)
  const env = { MATCHYARD_URL: url, MATCHYARD_SERVER_KEY: files.credentials.server_key }
  const secrets = (args: readonly string[], stdin = '') => run(['secrets', ...args], { cwd, env, stdin })

  expect(await secrets(['set', 'TOKEN'], 'hidden\n')).toMatchObject({ code: 0, stdout: 'TOKEN is set\n', stderr: '' })
  expect((await secrets(['list'])).stdout).toMatch(/^\d{4}-\S+Z {2}TOKEN\n$/)
  expect((await secrets(['delete', 'TOKEN'])).stdout).toBe('TOKEN is deleted\n')
  const refused = await secrets(['set', 'TO-KEN'], 'hidden\n')
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^matchyard: the secret: name must be 1 to 64 .*\n$/),
  })
  expect(refused.stderr).not.toContain('hidden')
  expect((await secrets(['delete', 'TOKEN'])).stderr).toMatch(/^matchyard: project \S+ has no secret "TOKEN"\n$/)
})
