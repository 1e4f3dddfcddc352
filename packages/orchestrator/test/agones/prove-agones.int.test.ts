import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fixtureRuntime } from '../../src/agones/testing/harness'
import { GAMESERVERS, PODS, SECRETS, testCluster } from '../../src/agones/testing/index'
import { ownPorts } from '../../src/agones/testing/own-ports'

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, '../..', 'prove-agones.ts')
const IMAGES = 'registry.test/matchyard/probe'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prove-agones-'))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const prove = (args: readonly string[], env: Record<string, string> = {}) => {
  const { KUBECONFIG: _, ...rest } = process.env
  return run(process.execPath, ['--conditions=@matchyard/source', '--import', 'tsx', PROGRAM, ...args], {
    env: { ...rest, ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout: String(stdout), stderr: String(stderr) }),
  )
}

describe('npm run prove -- agones', () => {
  test('says in a sentence what it wants where there is no KUBECONFIG', async () => {
    const { code, stderr } = await prove([])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^the proof on a cluster wants KUBECONFIG \(.*\) and PROBE_IMAGES \(.*\); docs\/kubernetes\.md says how\.\n$/,
    )
  })

  test('writes the images that the suite launches', async () => {
    const { code, stdout } = await prove(['--images', folder])
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(4)
    for (const name of ['probe', 'scripted', 'not-executable', 'no-interpreter']) {
      expect(readFileSync(join(folder, name, 'Dockerfile'), 'utf8')).toContain('ENTRYPOINT ["/game/server"]')
      expect(existsSync(join(folder, name, 'server'))).toBe(true)
    }
  })

  test('runs the suite by a kubeconfig, over TLS, and leaves nothing in the cluster', {
    timeout: 300_000,
  }, async (context) => {
    if (process.platform !== 'linux') context.skip('processes are told apart by /proc')
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ]
    await run('openssl', [...request, '-keyout', key, '-out', cert, ...subject]).catch((error: unknown) =>
      skipWithout(context, 'openssl', String(error)),
    )
    const runtime = fixtureRuntime(folder, (name) => `${IMAGES}-${name}`)
    const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    const ports = await ownPorts()
    const cluster = await testCluster({ runtime, freePort: ports.take, tls })
    try {
      // The kubeconfig trusts only this certificate, as that of a real cluster does.
      const config = JSON.parse(cluster.kubeconfig())
      delete config.clusters[0].cluster['insecure-skip-tls-verify']
      config.clusters[0].cluster['certificate-authority-data'] = Buffer.from(tls.cert).toString('base64')
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 })
      const words = ['images: ', 'room: comes back with a crash']
      const { code, stdout, stderr } = await prove(words, { KUBECONFIG: kubeconfig, PROBE_IMAGES: IMAGES })
      expect(`${stdout}${stderr}`).toMatch(/\n(\d+) of \1 cases hold on this cluster\n$/)
      expect(code).toBe(0)
      expect(stdout.split('\n').filter((line) => line.startsWith('ok')).length).toBe(3)
      for (const kind of [GAMESERVERS, PODS, SECRETS]) expect(cluster.api.store.list(kind)).toEqual([])
    } finally {
      await cluster.close()
      runtime.dispose()
      await ports.close()
    }
  })
})
