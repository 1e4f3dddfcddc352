import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Match, type MatchyardClient } from '@matchyard/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { blockIn } from '../src/documents/blocks'
import { Terminal } from '../src/documents/terminal'
import { UdpPlayer } from '../src/documents/udp-player'
import { skipWithout } from '../src/needs'
import { ServiceProcess } from '../src/service-process'

// The tests start several processes in sequence, maybe on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const GUIDE = 'docs/game-servers.md'
const needsCurl = (context: TestContext) => {
  if (spawnSync('curl', ['--version']).error !== undefined) skipWithout(context, 'curl', 'there is none')
}

describe('the game servers of the guide', () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-guide-'))
  let service: ServiceProcess
  let terminal: Terminal
  let queue: Promise<string> | undefined

  beforeAll(async () => {
    service = await ServiceProcess.start(join(directory, 'service'), 0)
    terminal = new Terminal(join(directory, 'desk'))
    await terminal.paste(`eval "$(matchyard env ${join(directory, 'service', 'credentials.json')})"`)
  })
  afterAll(async () => {
    await terminal.end()
    await service.end('SIGINT')
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  /** Saves the section's program under the file name that the guide gives, and pastes the shell block below it. */
  async function follow(section: string, language: string, file: string): Promise<void> {
    queue ??= terminal.paste(blockIn(GUIDE, 'A queue for it', 'sh'))
    await queue
    mkdirSync(join(directory, 'desk', 'server'), { recursive: true })
    writeFileSync(join(directory, 'desk', file), blockIn(GUIDE, section, language))
    const printed = await terminal.paste(blockIn(GUIDE, section, 'sh'))
    expect(printed).toMatch(/arena, version \d, is ready/)
    expect(printed).not.toMatch(/warning/i)
  }

  function playerOf(name: string): MatchyardClient {
    const { base_url: baseUrl, client_key: clientKey } = service.credentials
    const client = createClient({ baseUrl, clientKey, player: name })
    onTestFinished(() => client.close())
    return client
  }
  const at = (match: Match): UdpPlayer => {
    const player = new UdpPlayer(match)
    onTestFinished(() => player.close())
    return player
  }

  /** Ann and Bob are matched and let in. A forged token is refused, and so is a command before a player is let in. */
  async function meet(): Promise<{ ann: UdpPlayer; bob: UdpPlayer; match: Match }> {
    const [match, other] = await Promise.all([playerOf('ann').play('arena'), playerOf('bob').play('arena')])
    const [ann, bob] = [at(match), at(other)]
    expect(await ann.ask(`${ann.joinToken.slice(0, -8)}AAAAAAAA`)).toBe('refused')
    expect(await ann.ask('over')).toBe('refused')
    expect(await ann.ask(ann.joinToken)).toBe('welcome ann')
    expect(await bob.ask(bob.joinToken)).toBe('welcome bob')
    return { ann, bob, match }
  }

  /** Bob leaves for good and Cat is matched into his seat. Bob's old token no longer lets him in. */
  async function change({ bob }: { readonly bob: UdpPlayer }): Promise<void> {
    const cat = playerOf('cat').play('arena')
    bob.say('bye')
    const late = at(await cat)
    expect(await late.ask(late.joinToken)).toBe('welcome cat')
    expect(await bob.ask(bob.joinToken)).toBe('refused')
  }

  async function end({ ann, match }: { readonly ann: UdpPlayer; readonly match: Match }): Promise<void> {
    ann.say('over')
    expect(await match.ended).toMatchObject({ reason: 'match_ended' })
  }

  it('in JavaScript', async (context) => {
    needsCurl(context)
    await follow('JavaScript', 'js', 'server/server.mjs')
    const met = await meet()
    await change(met)
    await end(met)
  })

  it('in Python', async (context) => {
    needsCurl(context)
    // Game servers run with a PATH of the system's programs only.
    if (spawnSync('/usr/bin/python3', ['-c', '']).status !== 0) skipWithout(context, 'Python', 'no /usr/bin/python3')
    await follow('Python', 'python', 'server/server.py')
    const met = await meet()
    await change(met)
    await end(met)
  })

  it('in C', async (context) => {
    needsCurl(context)
    const { error } = spawnSync('cc', ['--version'])
    if (error !== undefined) skipWithout(context, 'a C compiler', error.message)
    await follow('C', 'c', 'server.c')
    await end(await meet())
  })
})
