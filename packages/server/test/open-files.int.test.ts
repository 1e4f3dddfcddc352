import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { socketRoom, streamsWithin } from '../src/service/open-files'
import { temporaryFolder } from './harness/folder'
import { startServe } from './harness/services'

describe('the files that a process may open', () => {
  test.each([
    [undefined, 24_000, 20_000],
    [Number.POSITIVE_INFINITY, 24_000, 20_000],
    [65_536, 24_000, 20_000],
    [20_000, 18_912, 15_760],
    [1_024, 704, 586],
    [256, 128, 106],
    [64, 16, 13],
  ])('%s have room for %s connections and %s streams', (files, connections, streams) => {
    const room = socketRoom(files)
    expect(room).toEqual({ connections, streams })
    expect(streamsWithin(room).open).toBe(streams)
  })

  test("leave out the database's connections", () => {
    expect(socketRoom(1_024, 100).connections).toBe(socketRoom(1_024).connections - 100)
  })

  test('bound the connections of a real process: whoever comes next is answered, whatever is open already', async () => {
    const { command, url } = await startServe(temporaryFolder(), {}, { openFiles: 256 })
    await command.seen(/may open 256 files: it takes 128 connections at once, 106 event streams among them/)
    const { port } = new URL(url)
    const open: Socket[] = []
    onTestFinished(() => {
      for (const socket of open) socket.destroy()
    })
    for (let n = 0; n < 300; n++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      open.push(socket)
      await once(socket, 'connect')
    }
    const newest = open.at(-1)
    newest?.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
    const [answer] = await once(newest as Socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    expect(open.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(128)
  })
})
