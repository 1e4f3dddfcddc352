import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credentialsFile } from '../../src/config/containers'
import { Fault } from '../../src/config/setting'

function read(content: string) {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-credentials-'))
  try {
    const path = join(folder, 'config.json')
    writeFileSync(path, content)
    return credentialsFile(path)
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 50 })
  }
}

const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') })

test('logins are read as the engine writes them: by registry, the default one under its older name', () => {
  const auths = {
    'https://index.docker.io/v1/': auth('studio:one:two'),
    'ghcr.io': auth('bot:key'),
    'kept.elsewhere': {}, // The login is in a key ring that only the engine's command can read.
  }
  expect(read(JSON.stringify({ auths, credsStore: 'x' }))).toEqual({
    'docker.io': { username: 'studio', password: 'one:two' },
    'ghcr.io': { username: 'bot', password: 'key' },
  })
  expect(read('{}')).toEqual({})
})

test('what cannot be read is said without its content', () => {
  const fault = read('{"auths": hunter2')
  expect(fault).toBeInstanceOf(Fault)
  expect((fault as Fault).sentence).toMatch(/cannot be read as the config\.json/)
  expect((fault as Fault).sentence).not.toContain('hunter2')
})
