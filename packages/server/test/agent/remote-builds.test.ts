import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { BuildStoreAway } from '@matchyard/core/ports'
import { packGameServer } from '@matchyard/example-game-server'
import { sha256Of } from '@matchyard/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { RemoteBuilds } from '../../src/agent/remote-builds'
import { ServiceCalls } from '../../src/agent/service-calls'
import { temporaryFolder } from '../harness/folder'

let archive: Uint8Array
beforeAll(async () => {
  archive = await packGameServer()
})

type Send = (request: IncomingMessage, response: ServerResponse, tries: number) => void

/** Starts a service that says where the archive is, and sends it as the test says. */
async function builds(location: object | undefined, send: Send = (_, response) => void response.end(archive)) {
  const authorized: string[] = []
  let tries = 0
  const server = createServer((request, response) => {
    authorized.push(`${request.url} ${request.headers.authorization}`)
    if (request.url?.endsWith('/archive')) return send(request, response, ++tries)
    if (location === undefined) return void response.writeHead(404).end()
    response.end(JSON.stringify({ url: '/x/archive', size_bytes: archive.length, ...location }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = temporaryFolder()
  const directory = join(folder, 'unpacked')
  mkdirSync(directory)
  const store = new RemoteBuilds(join(folder, 'fetching'), new ServiceCalls(url, 'mt_live_x'))
  const unpack = () => store.unpack('bld_1', { executablePath: 'server.mjs', directory })
  const left = () => readdirSync(join(folder, 'fetching'))
  return { url, unpack, directory, left, authorized, store, folder }
}

test('an archive is fetched, verified, unpacked and removed', async () => {
  const { unpack, directory, left, authorized, store, folder } = await builds({ sha256: sha256Of(archive) })
  expect(await store.has()).toBe(true)
  await unpack()
  expect(readFileSync(join(directory, 'server.mjs'), 'utf8').length).toBeGreaterThan(100)
  expect(left()).toEqual([])
  expect(authorized).toEqual(['/v1/machine/builds/bld_1 Bearer mt_live_x', '/x/archive Bearer mt_live_x'])
  await store.sweep()
  expect(existsSync(join(folder, 'fetching'))).toBe(false)
})

test('a fetch that breaks off goes on after the last byte, also where the range is ignored', async () => {
  const ranges: unknown[] = []
  const { unpack, directory } = await builds({ sha256: sha256Of(archive) }, (request, response, tries) => {
    ranges.push(request.headers.range)
    const start = tries === 2 ? 100 : 0
    response.writeHead(tries === 2 ? 206 : 200, { 'content-length': archive.length - start })
    if (tries === 3) return void response.end(archive)
    response.write(archive.subarray(start, start + 100), () => setImmediate(() => response.destroy()))
  })
  await unpack()
  expect(ranges).toEqual([undefined, 'bytes=100-', 'bytes=200-'])
  expect(existsSync(join(directory, 'server.mjs'))).toBe(true)
})

test('the token is not sent to the store of builds', async () => {
  const bucket = await builds({})
  const { unpack } = await builds({ url: `${bucket.url}/x/archive` })
  await unpack()
  expect(bucket.authorized).toEqual(['/x/archive undefined'])
})

test('a URL that has expired is asked for anew, and the fetch goes on', async () => {
  const bucket = await builds({}, (request, response, tries) => {
    if (tries === 2) return void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    const start = tries === 1 ? 0 : 100
    response.writeHead(tries === 1 ? 200 : 206, { 'content-length': archive.length - start })
    if (tries === 1) return void response.write(archive.subarray(0, 100), () => setImmediate(() => response.destroy()))
    expect(request.headers.range).toBe('bytes=100-')
    response.end(archive.subarray(start))
  })
  const { unpack, authorized } = await builds({ url: `${bucket.url}/x/archive`, sha256: sha256Of(archive) })
  await unpack()
  expect(authorized.length).toBe(3)
})

test('a bucket that refuses each time is named, and its URL is not told', async () => {
  const bucket = await builds({}, (_, response) => void response.writeHead(403).end('<Error/>'))
  const { unpack } = await builds({ url: `${bucket.url}/x?X-Amz-Signature=secret/archive` })
  await expect(unpack()).rejects.toThrow(
    /^the archive of build bld_1 was not fetched: at the address in the bucket, it answered with the status 403$/,
  )
})

test('a service that does not say where the archive is is asked once a launch', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.writeHead(503).end(JSON.stringify({ detail: 'the storage cannot be reached now' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const calls = new ServiceCalls(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'mt_live_x')
  const folder = temporaryFolder()
  const unpack = new RemoteBuilds(join(folder, 'fetching'), calls).unpack('bld_1', {
    executablePath: 'x',
    directory: folder,
  })
  await expect(unpack).rejects.toThrow(BuildStoreAway)
  await expect(unpack).rejects.toThrow(/was not fetched: the storage cannot be reached now$/)
  expect(asked).toBe(1)
})

test.each<[what: string, location: object | undefined, send: Send | undefined, sentence: RegExp]>([
  ['that the machine may not have', undefined, undefined, /the service has no archive of build bld_1 for this machine/],
  ['of other bytes', { sha256: 'a'.repeat(64) }, undefined, /is not what was uploaded/],
  ['that is larger than announced', { size_bytes: 10 }, undefined, /it is larger than announced/],
  ['that breaks off each time', {}, (_, r) => void r.destroy(), /was not fetched: the connection/],
  ['with a location of another form', { size_bytes: 'x' }, undefined, /not one of a Matchyard service/],
])('an archive %s is refused, and nothing stays', async (_, location, send, sentence) => {
  const { unpack, left, directory } = await builds(location, send)
  await expect(unpack()).rejects.toThrow(sentence)
  expect([left(), readdirSync(directory)]).toEqual([[], []])
})

test('of five archives at once, four are fetched and the fifth waits', async () => {
  const open: ServerResponse[] = []
  const { store, folder } = await builds({}, (_, response) => void open.push(response))
  const work = Array.from({ length: 5 }, (_, at) => {
    const directory = join(folder, `unpacked-${at}`)
    mkdirSync(directory)
    return store.unpack(`bld_${at}`, { executablePath: 'server.mjs', directory })
  })
  const until = async (count: number) => {
    while (open.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  await until(4)
  expect(open.length).toBe(4)
  open[0]?.end(archive)
  await until(5)
  for (const response of open.slice(1)) response.end(archive)
  await Promise.all(work)
})
