import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { describe, expect, test } from 'vitest'
import { Connections } from '../src/service/connections'

class Peer extends EventEmitter {
  isClosed = false
  constructor(
    readonly name: string,
    readonly remoteAddress: string,
  ) {
    super()
  }
  destroy() {
    this.isClosed = true
    this.emit('close')
  }
}

/** A server with bounded connections, and the names of those that it has closed. */
function door(max: number) {
  const server = new EventEmitter()
  new Connections(server as Server, max)
  const peers: Peer[] = []
  return {
    come(name: string, address: string) {
      const peer = new Peer(name, address)
      peers.push(peer)
      server.emit('connection', peer)
      return peer
    },
    call(socket: Peer, headers: Record<string, string> = {}, url = '/') {
      const [incoming, response] = [Object.assign(new EventEmitter(), { socket, headers, url }), new EventEmitter()]
      server.emit('request', incoming, response)
      return { incoming, response }
    },
    closed: () => peers.filter(({ isClosed }) => isClosed).map(({ name }) => name),
  }
}

describe('one connection more than the bound', () => {
  test('costs the address with the most connections its longest idle one', () => {
    const { come, call, closed } = door(4)
    come('quiet', '192.0.2.1')
    for (const name of ['a', 'b', 'c']) come(name, '192.0.2.9')
    call(come('x', '192.0.2.2'))
    expect(closed()).toEqual(['a'])
    come('y', '192.0.2.3')
    // Each address has one or two connections now. The address with two loses one.
    expect(closed()).toEqual(['a', 'b'])
  })

  test('is found among those of one IPv6 network, which one caller has to itself', () => {
    const { come, closed } = door(3)
    come('quiet', '2001:db8:1::1')
    come('a', '2001:db8:2::1')
    come('b', '2001:db8:2::2')
    come('c', '2001:db8:2::3')
    expect(closed()).toEqual(['a'])
  })

  test('costs a body that never comes to its end its connection, where nothing is idle', () => {
    const { come, call, closed } = door(3)
    const [slow, busy, upload] = [come('slow', '192.0.2.9'), come('busy', '192.0.2.9'), come('upload', '192.0.2.9')]
    call(busy)
    call(upload, { 'content-length': '1000' }, '/v1/uploads/bld_1')
    const { incoming } = call(slow, { 'content-length': '2' })
    come('new', '192.0.2.1')
    expect(closed()).toEqual(['slow'])
    incoming.emit('end')
    come('newer', '192.0.2.1')
    // No connection of the other address can be closed, so the address of the new connections loses its own.
    expect(closed()).toEqual(['slow', 'new'])
  })

  test('is itself the one that goes where a call is under way on every other', () => {
    const { come, call, closed } = door(2)
    call(come('a', '192.0.2.9'))
    const { response } = call(come('b', '192.0.2.9'))
    come('new', '192.0.2.1')
    expect(closed()).toEqual(['new'])
    response.emit('close')
    come('again', '192.0.2.1')
    expect(closed()).toEqual(['b', 'new'])
  })
})
