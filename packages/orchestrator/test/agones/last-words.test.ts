import { type FakeClock, fakePlatform } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import { hopeless } from '../../src/agones/condition'
import { Farewells } from '../../src/agones/farewell/farewells'
import { lastWordsOf, linesOf } from '../../src/agones/farewell/log-lines'
import type { PodItem } from '../../src/agones/kube/shapes'
import { CONTAINER } from '../../src/agones/names'

const AT = '2030-01-01T00:00:00.000Z'
const at = Date.parse(AT)
const line = (message: string) => ({ at, stream: 'stdout', message })
const pod = (uid: string, state: object = { running: {} }): PodItem =>
  ({
    metadata: { name: 'g', uid, resourceVersion: '1' },
    status: { containerStatuses: [{ name: CONTAINER, state }] },
  }) as PodItem

describe('lines of a log', () => {
  test('are those with a time: a sentence of its node is none of the server’s', () => {
    expect(linesOf(`${AT} it began\nunable to retrieve container logs for containerd://abc`)).toEqual([
      line('it began'),
    ])
  })

  test('of a crash are told at its end, where its pod alone keeps them', () => {
    expect(lastWordsOf({ exitCode: 1, message: 'no map\nfound\n', finishedAt: AT })).toEqual([
      line('no map'),
      line('found'),
    ])
    expect(lastWordsOf({})).toEqual([])
  })
})

describe('a program that the kernel does not take', () => {
  const ended = (exitCode: number, message: string) => pod('u', { terminated: { exitCode, reason: 'Error', message } })

  test('will never run', () => {
    expect(hopeless(ended(1, 'exec /game/server: exec format error\n'))).toContain('exec format error')
    expect(hopeless(ended(1, 'exec /game/server: no such file or directory'))).toContain('no such file')
  })

  test('is told from a server that says so among other things, and from one that ended otherwise', () => {
    expect(hopeless(ended(1, 'loading\nexec /tools/helper: exec format error\n'))).toBeUndefined()
    expect(hopeless(ended(3, 'exec /game/server: exec format error'))).toBeUndefined()
  })
})

describe('what a server says until it has ended as it was asked to', () => {
  const clock: FakeClock = fakePlatform().clock
  const pauses = {
    now: () => clock.now(),
    pause: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true })
        clock.after(ms, resolve)
      }),
  }

  test('is kept when all of it was heard, and waited for by whoever asks', async () => {
    let end = () => {}
    const whenEnded = new Promise<void>((resolve) => {
      end = resolve
    })
    async function* stream() {
      yield Buffer.from(`${AT} hel`)
      await whenEnded
      yield Buffer.from('lo\n')
    }
    const kept: unknown[] = []
    const farewells = new Farewells({ follow: async () => stream(), pauses })
    await farewells.listen(pod('u'), 10_000, async (lines) => void kept.push(lines))
    const asked = farewells.of(pod('u').metadata, 2_000)
    end()
    expect(await asked).toEqual([line('hello')])
    expect(kept).toEqual([[line('hello')]])
  })

  test('of which a part alone was heard is not kept, and told where there is nothing better', async () => {
    async function* stream() {
      yield Buffer.from(`${AT} hello\n`)
      throw new Error('the connection was cut')
    }
    const kept: unknown[] = []
    const farewells = new Farewells({ follow: async () => stream(), pauses })
    await farewells.listen(pod('u'), 10_000, async (lines) => void kept.push(lines))
    expect(await farewells.of(pod('u').metadata, 2_000)).toEqual([line('hello')])
    expect(kept).toEqual([])
  })

  test('makes place for others once it was heard, whoever put it away', async () => {
    let followed = 0
    async function* stream() {
      yield Buffer.from(`${AT} hello\n`)
    }
    const follow = async () => {
      followed++
      return stream()
    }
    const farewells = new Farewells({ follow, pauses })
    for (let one = 0; one < 150; one++) await farewells.listen(pod(`u${one}`), 10_000, async () => {})
    expect(followed).toBe(150)
    expect(await farewells.of(pod('u149').metadata, 2_000)).toEqual([line('hello')])
    expect(await farewells.of(pod('u0').metadata, 2_000)).toEqual([])
  })

  test('holds up a stop for a second and no longer, where the log does not open', async () => {
    const farewells = new Farewells({ follow: () => new Promise(() => {}), pauses })
    const listening = farewells.listen(pod('u'), 10_000, async () => {})
    clock.advance(1_000)
    await listening
    const asked = farewells.of(pod('u').metadata, 2_000)
    clock.advance(2_000)
    expect(await asked).toEqual([])
  })
})
