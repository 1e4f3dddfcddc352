import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Server } from './s3-server'

const BUCKET = 'matchyard-builds'
const CREDENTIALS = { accessKeyId: 'AKIDOFTHETESTS', secretAccessKey: 'the-secret-of-the-tests' }
const STARTS_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 200
/** Capacity of the object store in bytes; the store keeps objects in memory. */
const STORE_BYTES = 6 * 1024 ** 3
const NAMES = ['osd.0', 'client.rgw']

const settings = (folder: string, id: string, monitors: string, port: number): string => `
[global]
fsid = ${id}
mon host = ${monitors}
mon initial members = a
public network = 127.0.0.0/8
mon data = ${folder}/mon
mon allow pool size one = true
mon data avail warn = 1
mon data avail crit = 1
auth allow insecure global id reclaim = true
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = ${STORE_BYTES}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 2
osd crush chooseleaf type = 0
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
keyring = ${folder}/keyring
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
`

/**
 * Starts Ceph's own S3 gateway, with a monitor and one object store in memory. Ceph is an S3 implementation that is
 * used in production; the server of `startS3Server` is not. The gateway needs the programs of Debian's packages
 * ceph-mon, ceph-osd, ceph-common and radosgw.
 */
export async function startCephGateway(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'ceph-'))
  for (const part of ['mon', 'osd', 'rgw']) await mkdir(join(folder, part))
  const [port, newer, older] = await freePorts(3)
  const monitors = `[v2:127.0.0.1:${newer},v1:127.0.0.1:${older}]`
  const [file, keyring, map] = ['ceph.conf', 'keyring', 'map'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const [id, storeId] = [randomUUID(), randomUUID()]
  await writeFile(file, settings(folder, id, monitors, port as number))
  const ceph = (...args: readonly string[]) => ran('ceph', ['-c', file, '--connect-timeout', '20', ...args])
  const processes: ChildProcess[] = []
  const start = (program: string, ...args: readonly string[]) => {
    const child = spawn(program, ['-f', '-c', file, ...args], { stdio: 'ignore' })
    processes.push(child)
    return child
  }

  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *']
  ran('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'])
  for (const name of ['client.admin', ...NAMES]) ran('ceph-authtool', [keyring, '--gen-key', '-n', name, ...all])
  ran('monmaptool', ['--create', '--addv', 'a', monitors, '--fsid', id, map])
  ran('ceph-mon', ['--mkfs', '-i', 'a', '-c', file, '--monmap', map, '--keyring', keyring])
  start('ceph-mon', '-i', 'a')
  ceph('osd', 'new', storeId, '0')
  ran('ceph-osd', ['-i', '0', '-c', file, '--mkfs', '--osd-uuid', storeId])
  start('ceph-osd', '-i', '0')

  const endpoint = `http://127.0.0.1:${port}`
  let gateway: ChildProcess | undefined
  const open = async () => {
    gateway ??= start('radosgw', '-n', 'client.rgw')
    await answers(endpoint)
  }
  const stop = async () => {
    if (gateway !== undefined) await ended(gateway)
    gateway = undefined
  }
  await open()
  const { accessKeyId, secretAccessKey } = CREDENTIALS
  const key = [`--access-key=${accessKeyId}`, `--secret=${secretAccessKey}`]
  ran('radosgw-admin', ['-c', file, 'user', 'create', '--uid=tests', '--display-name=tests', ...key])
  const client = new AwsClient({ ...CREDENTIALS, service: 's3', region: 'us-east-1' })
  const made = await client.fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' })
  if (!made.ok) throw new Error(`Ceph's gateway makes no bucket: ${made.status} ${await made.text()}`)
  return {
    bucket: BUCKET,
    endpoint,
    pathStyle: true,
    credentials: CREDENTIALS,
    stop,
    start: open,
    async close() {
      await Promise.all(processes.reverse().map(ended))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function ran(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} cannot be run (${error.message}): install Ceph and its radosgw`)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.trim()}`)
}

async function answers(endpoint: string): Promise<void> {
  for (const until = performance.now() + STARTS_WITHIN_MS; ; await wait(LOOK_EVERY_MS)) {
    const answer = await fetch(endpoint).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok === true) return
    if (performance.now() > until) throw new Error("Ceph's gateway does not start")
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** Returns ports that were all free at the same time. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
