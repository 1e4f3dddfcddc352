import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of the addon: both versions, the sample and the README. */
export const PACKAGE = join(dirname(createRequire(import.meta.url).resolve('@matchyard/engines/package.json')), 'godot')
export const PROJECT = join(PACKAGE, 'godot-3')
const ENGINE = 'godot3-server'

/** Returns the reason why Godot cannot run here; undefined when it can. */
export const whyNoGodot = (): string | undefined =>
  spawnSync(ENGINE, ['--version']).status === null ? `${ENGINE} is not on the PATH` : undefined

/** Returns the GDScript blocks of the README. */
export const readmeBlocks = (): string[] =>
  [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^```gdscript\n([\s\S]*?)^```$/gm)].map(
    (match) => match[1] ?? '',
  )

/** Creates a game in a temporary folder: the addon, copied as its README says, and one script. */
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

/** A Godot process that runs the game of a folder, with all of its output. */
export class Engine {
  private readonly process: ChildProcess
  readonly exited: Promise<number | null>
  output = ''

  constructor(folder: string, environment: Readonly<Record<string, string>>, args: readonly string[] = []) {
    // A home directory in the game's folder, so that the engine reads and writes no files of the user.
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

  /** Error lines of the engine about scripts. Other messages of the engine, about the machine, are left out. */
  get complaints(): string[] {
    return this.output
      .split('\n')
      .filter((line) => /^(SCRIPT ERROR|ERROR: (parse|resume|_disconnect|emit_signal|connect))/.test(line))
  }
}
