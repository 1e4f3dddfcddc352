import type { Queue } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { QUEUES } from '../src/page/gallery/samples'
import { textsOf, toldOf } from '../src/page/rooms/queues/draft'
import { fileOf, readFile, settingsIn } from '../src/page/rooms/queues/queue-file'

const RANKED = QUEUES[0] as Queue

it('a file has all settings of a queue, and gives them back', () => {
  const told = toldOf(RANKED)
  expect({ ...told, ...settingsIn(fileOf(RANKED), 'ranked') }).toEqual(told)
  expect(readFile(fileOf(RANKED))).toMatchObject({ queue_id: 'ranked', enabled: true, rating: 'ranked' })
  expect(readFile(fileOf(RANKED))).not.toHaveProperty('created_at')
})

it('a file without an object, with an unknown setting or of another queue is refused in a sentence', () => {
  expect(() => readFile('[]')).toThrow('must have a JSON object')
  expect(() => readFile('{"queue_id":"ranked","max_player":4}')).toThrow('max_player is no setting of a queue')
  expect(() => settingsIn(fileOf(RANKED), 'casual')).toThrow('The file is of the queue ranked, not of casual.')
})

it('a list of texts is separated by commas', () => {
  expect(textsOf('rank, ,level ,')).toEqual(['rank', 'level'])
})
