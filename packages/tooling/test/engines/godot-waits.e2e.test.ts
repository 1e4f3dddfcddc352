import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { skipWithout } from '../../src/needs'
import { Engine, newGame, whyNoGodot } from './godot/project'

const lacking = whyNoGodot()

const SCRIPT = `extends Node

const GameServer = preload("res://addons/matchyard/game_server.gd")

func _ready():
	var server = GameServer.new()
	add_child(server)
	print("too early: %s" % server.attach().detail)
	yield(server.wait_for_match(), "completed")
	print("told: %s" % str(server.attach()))
	print("match %s" % server.match_id)
	get_tree().quit()
`

describe('a game server in Godot that is started before its match', () => {
  it('waits until its file is whole', { timeout: 60_000 }, async (context) => {
    if (lacking !== undefined) skipWithout(context, 'Godot', lacking)
    const folder = mkdtempSync(join(tmpdir(), 'matchyard-godot-waits-'))
    const file = join(folder, 'its_svc.json')
    writeFileSync(file, '')
    const engine = new Engine(newGame(SCRIPT), { SVC_CONFIG_FILE: file })
    try {
      await eventually(
        () => engine.output,
        (output) => /too early: .* is empty: say .*wait_for_match/.test(output),
        30_000,
      )
      const text = JSON.stringify({ match_id: 'mat_1', match_version: 1, teams: [] })
      for (let length = 1; length < text.length; length++) writeFileSync(file, text.slice(0, length))
      expect(engine.output).not.toContain('told')
      writeFileSync(file, text)
      expect(await engine.exited).toBe(0)
      expect(engine.output).toMatch(/told: Null\nmatch mat_1/)
      expect(engine.complaints).toEqual([])
    } finally {
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
