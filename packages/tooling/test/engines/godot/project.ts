import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of the addon: both versions, the sample, the README. */
export const PACKAGE = join(dirname(createRequire(import.meta.url).resolve('@matchyard/engines/package.json')), 'godot')
export const PROJECT = join(PACKAGE, 'godot-3')
const ENGINE = 'godot3-server'

/** What stands against running Godot here; undefined where nothing does. */
export const whyNoGodot = (): string | undefined =>
  spawnSync(ENGINE, ['--version']).status === null ? `${ENGINE} is not on the PATH` : undefined

/** The GDScript blocks of the README. */
export const readmeBlocks = (): string[] =>
  [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^```gdscript\n([\s\S]*?)^```$/gm)].map(
    (match) => match[1] ?? '',
  )

/** A game of its own in a temporary folder: the addon as its README says to copy it, and one script that runs. */
export function newGame(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-godot-'))
  cpSync(join(PROJECT, 'addons'), join(folder, 'addons'), { recursive: true })
  writeFileSync(join(folder, 'project.godot'), 'config_version=4\n[application]\nrun/main_scene="res://main.tscn"\n')
  writeFileSync(join(folder, 'main.gd'), script)
  writeFileSync(
    join(folder, 'main.tscn'),
    '[gd_scene load_steps=2 format=2]\n[ext_resource path="res://main.gd" type="Script" id=1]\n[node name="Main" type="Node"]\nscript = ExtResource( 1 )\n',
  )
  mkdirSync(join(folder, 'home'))
  return folder
}

/** The engine at work in a game's folder, and all that it printed. */
export class Engine {
  private readonly process: ChildProcess
  readonly exited: Promise<number | null>
  output = ''

  constructor(folder: string, environment: Readonly<Record<string, string>>, args: readonly string[] = []) {
    // Its own home, so that nothing of this machine's user is read or written.
    const env = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), LANG: 'en_GB.UTF-8', ...environment }
    this.process = spawn(ENGINE, ['--path', folder, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString()
      })
    }
    this.exited = new Promise((resolve) => this.process.once('close', (code) => resolve(code)))
  }

  async stop(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.exited
  }

  /** What the engine said against a script; nothing, where all went well. What it says of the machine is not meant. */
  get complaints(): string[] {
    return this.output
      .split('\n')
      .filter((line) => /^(SCRIPT ERROR|ERROR: (parse|resume|_disconnect|emit_signal|connect))/.test(line))
  }
}
