import type { Match } from '@matchyard/client'
import type { Result, ToPage } from '../../game/protocol'
import { show, toast } from '../dom'
import { Hud } from '../screens/hud'
import { Connection, MOVED } from './connection'
import type { Controls } from './input'
import { LiveScene } from './live-scene'
import type { Painter } from './painter'
import { Prediction } from './prediction'
import type { Sounds } from './sound'

interface Stage {
  readonly painter: Painter
  readonly controls: Controls
  readonly sounds: Sounds
}

/** Result of a match from its server; undefined results mean that the match ended without one. */
export interface Played {
  readonly results: readonly Result[] | undefined
  readonly me: number
  /** Whether the player left the match. */
  readonly left: boolean
  /** Whether the player continues the match in another window. */
  readonly moved?: boolean
}

/** Plays one match to its end and returns its result. */
export async function playMatch(match: Match, { painter, controls, sounds }: Stage): Promise<Played> {
  show('play')
  const prediction = new Prediction(
    () => controls.take(),
    (seq, input) => connection.say({ type: 'input', seq, ...input }),
  )
  const scene = new LiveScene(prediction)
  let seconds = 60
  let finish: (played: Omit<Played, 'me'>) => void = () => {}
  const finished = new Promise<Omit<Played, 'me'>>((resolve) => {
    finish = resolve
  })
  const hear = (message: ToPage) => {
    if (message.type === 'snapshot') scene.take(message, performance.now())
    else if (message.type === 'welcome') [scene.me, seconds] = [message.n, message.seconds]
    else if (message.type === 'roster') tellNews(scene, message.contestants)
    else if (message.type === 'over') finish({ results: message.results, left: false })
    else toast(`The game server let nobody in: ${message.reason}`)
  }
  const connection = new Connection(match, hear, (why, code) => {
    toast(why === '' ? 'The game server let you go.' : why)
    finish({ results: undefined, left: code !== MOVED, moved: code === MOVED })
  })
  const hud = new Hud(
    scene,
    sounds,
    () => seconds,
    () => finish({ results: undefined, left: true }),
  )
  if (innerHeight > innerWidth * 1.2) toast('Turn your device: the arena is wide.')
  painter.look(scene)
  painter.reserve(true)
  painter.onFrame = ({ happened }) => {
    for (const happening of happened) sounds.happened(happening, scene.me)
    hud.update(performance.now())
  }
  const ended = match.ended.then(() => ({ results: undefined, left: false }))
  const played = await Promise.race([finished, ended])
  if (played.results !== undefined) sounds.play('over')
  connection.close()
  painter.onFrame = () => {}
  painter.reserve(false)
  hud.close()
  return { ...played, me: scene.me }
}

/** Shows which players connected and disconnected. */
function tellNews(scene: LiveScene, now: LiveScene['contestants']): void {
  const before = scene.contestants
  scene.contestants = now
  if (before.length === 0) return
  for (const { playerId, name, n } of now) {
    if (n !== scene.me && !before.some((one) => one.playerId === playerId)) toast(`${name} joins in`)
  }
  for (const { playerId, name } of before) {
    if (!now.some((one) => one.playerId === playerId)) toast(`${name} has left; the seat is open`)
  }
}
