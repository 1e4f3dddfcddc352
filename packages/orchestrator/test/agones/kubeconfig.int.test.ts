import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectionOf } from '../../src/agones/kube/connection'
import { Unreachable } from '../../src/agones/kube/errors'
import { kubeconfigReader, useContext } from '../../src/agones/kube/kubeconfig'

const MINUTE_MS = 60_000
const ending: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'))
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  for (const end of ending.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true })
})

interface Written {
  /** URL of the server, by cluster. */
  readonly clusters?: Readonly<Record<string, string>>
  readonly users?: Readonly<Record<string, object>>
  /** `cluster/user` by context. */
  readonly contexts?: Readonly<Record<string, string>>
  readonly current?: string
}

function write(name: string, { clusters = {}, users = {}, contexts = {}, current }: Written): string {
  const path = join(folder, name)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: Object.entries(clusters).map(([name, server]) => ({ name, cluster: { server } })),
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: Object.entries(contexts).map(([name, of]) => {
      const [cluster, user] = of.split('/')
      return { name, context: { cluster, user } }
    }),
    ...(current === undefined ? {} : { 'current-context': current }),
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** Starts a cluster that answers every call, and records the URL and the headers of each call. */
async function listener() {
  const asked: Pick<IncomingMessage, 'url' | 'headers'>[] = []
  const server = createServer(({ url, headers }, response) => {
    asked.push({ url, headers })
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ending.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, authorization: () => asked.at(-1)?.headers.authorization }
}

/**
 * Returns a connection of one user to one cluster, and a function that moves the time on by a little more than a
 * minute.
 */
async function connectionAs(url: string, user: object) {
  const path = write('config', { clusters: { c: url }, users: { u: user }, contexts: { it: 'c/u' }, current: 'it' })
  const config = (await kubeconfigReader(path))()
  useContext(config, 'it')
  let at = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  const connection = connectionOf(config, () => at)
  const later = () => {
    at += MINUTE_MS + 1_000
    vi.setSystemTime(at)
  }
  return { ask: () => connection.send({ method: 'GET', path: '/version' }), later }
}

describe('a list of kubeconfigs', () => {
  test('is read as kubectl reads it: the first that says something decides, and what is not there is passed over', async () => {
    const first = write('first', {
      clusters: { east: 'https://first' },
      users: { me: { token: 'first' } },
      contexts: { a: 'east/me' },
    })
    const second = write('second', {
      clusters: { east: 'https://second', west: 'https://west/' },
      users: { me: { token: 'second' }, you: { token: 'you' } },
      contexts: { a: 'west/you', b: 'west/you' },
      current: 'b',
    })
    const third = write('third', { current: 'a' })
    writeFileSync(join(folder, 'empty'), '')
    const list = [join(folder, 'absent'), first, join(folder, 'empty'), second, '', third].join(delimiter)
    const config = (await kubeconfigReader(list))()
    expect(config.getCurrentContext()).toBe('b')
    expect(config.getCurrentCluster()?.server).toBe('https://west')
    expect(config.getContextObject('a')).toMatchObject({ cluster: 'east', user: 'me' })
    expect(config.getCluster('east')?.server).toBe('https://first')
    expect(config.getUser('me')?.token).toBe('first')
    vi.stubEnv('KUBECONFIG', list)
    expect((await kubeconfigReader(undefined))().getCurrentContext()).toBe('b')
  })

  test('finds what lies beside each of its files', async () => {
    mkdirSync(join(folder, 'other'))
    const of = (name: string) => ({
      clusters: { [name]: 'https://x' },
      users: { [name]: { 'client-certificate': 'me.crt', 'client-key': 'me.key' } },
    })
    const list = [write('one', of('one')), write('other/two', of('two'))].join(delimiter)
    const config = (await kubeconfigReader(list))()
    expect(config.getUser('one')).toMatchObject({ certFile: join(folder, 'me.crt'), keyFile: join(folder, 'me.key') })
    expect(config.getUser('two')).toMatchObject({ certFile: join(folder, 'other', 'me.crt') })
  })

  test('of which none is there, or one is none, says which, and nothing of what it holds', async () => {
    const absent = [join(folder, 'a'), join(folder, 'b')].join(delimiter)
    const none = join(folder, 'none')
    writeFileSync(none, 'users: [{ token: "s3cret"')
    for (const [list, words] of [
      [absent, /^the kubeconfig .* cannot be read \(ENOENT\)$/],
      [none, /^the kubeconfig .*none cannot be read$/],
    ] as const) {
      const read = await kubeconfigReader(list)
      expect(read).toThrow(TypeError)
      expect(read).toThrow(words)
    }
  })
})

describe('credentials', () => {
  test('go to the path below which the cluster is', async () => {
    const { url, asked, authorization } = await listener()
    for (const slash of ['', '/']) {
      const { ask } = await connectionAs(`${url}/k8s/clusters/c-x${slash}`, { token: 'mine' })
      await ask()
      expect([asked.at(-1)?.url, authorization()]).toEqual(['/k8s/clusters/c-x/version', 'Bearer mine'])
    }
  })

  test('of a file are read again, for they are exchanged while it runs', async () => {
    const { url, authorization } = await listener()
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, 'first\n')
    // A relative path begins at the folder of the kubeconfig, so this names the same file as the absolute path.
    const { ask, later } = await connectionAs(url, { tokenFile: 'token', token: 'of another time' })
    await ask()
    expect(authorization()).toBe('Bearer first')
    writeFileSync(tokenFile, 'second\n')
    later()
    await ask()
    expect(authorization()).toBe('Bearer second')
  })

  test('of a plugin are asked for again when they are over, and it is told what it is asked for', async () => {
    const { url, authorization } = await listener()
    const until = new Date(Date.now() + 2 * MINUTE_MS).toISOString()
    // The plugin records each start, and takes 200 milliseconds.
    const plugin = `#!/bin/sh
echo x >> "${folder}/starts"
echo "$KUBERNETES_EXEC_INFO" > "${folder}/info"
sleep 0.2
cat <<END
{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
 "status":{"token":"of start $(wc -l < "${folder}/starts" | tr -d ' ') for $WHOM","expirationTimestamp":"${until}"}}
END
`
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin', 'plugin'), plugin)
    chmodSync(join(folder, 'bin', 'plugin'), 0o755)
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './bin/plugin',
      env: [{ name: 'WHOM', value: 'me' }],
      provideClusterInfo: true,
    }
    const { ask, later } = await connectionAs(url, { exec })
    await Promise.all([ask(), ask(), ask()])
    expect(authorization()).toBe('Bearer of start 1 for me')
    later()
    await ask()
    expect(authorization()).toBe('Bearer of start 1 for me')
    later()
    await ask()
    expect(authorization()).toBe('Bearer of start 2 for me')
    expect(JSON.parse(readFileSync(join(folder, 'info'), 'utf8'))).toEqual({
      apiVersion: exec.apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: url } },
    })
  })

  test('of a plugin that fails, or is not there, are a cluster that is away', async () => {
    const { url } = await listener()
    for (const [command, args] of [
      ['sh', ['-c', 'echo "log in first" >&2; exit 1']],
      ['no-such-plugin', []],
    ] as const) {
      const { ask } = await connectionAs(url, {
        exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args },
      })
      const failed = await ask().catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(Unreachable)
      expect(String(failed)).toMatch(/no credentials for 127\.0\.0\.1:\d+: (log in first|spawn no-such-plugin ENOENT)/)
    }
  })

  test('of a plugin that hangs are not waited for by who comes later', async () => {
    const { url, authorization } = await listener()
    const token = JSON.stringify({ apiVersion: 'v1', kind: 'ExecCredential', status: { token: 'mine' } })
    const script = `[ -e "${folder}/hung" ] || { touch "${folder}/hung"; exec sleep 5; }; echo '${token}'`
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', script] }
    const path = write('config', { clusters: { c: url }, users: { u: { exec } }, contexts: { it: 'c/u' } })
    const config = (await kubeconfigReader(path))()
    useContext(config, 'it')
    const connection = connectionOf(config)
    const signal = AbortSignal.timeout(500)
    await expect(connection.send({ method: 'GET', path: '/version', signal })).rejects.toThrow(/do not come in time/)
    await connection.send({ method: 'GET', path: '/version' })
    expect(authorization()).toBe('Bearer mine')
  })
})
