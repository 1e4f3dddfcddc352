import type { KeptLogs } from '@matchyard/core/ports'
import { onDisk } from '../kit/index'
import { checkedLogName } from '../kit/log-name'
import { Bucket } from './bucket'
import { Keys } from './keys'
import { Objects } from './objects'
import type { S3BuildStoreOptions } from './options'

/** Returns kept logs in a bucket: one object for each log. */
export function bucketLogs(options: S3BuildStoreOptions): KeptLogs {
  const objects = new Objects(new Bucket(options))
  const prefix = new Keys(options.prefix ?? '').logs
  const keyOf = (name: string) => `${prefix}${checkedLogName(name)}`
  return {
    put: (name, text) => onDisk('the log cannot be kept', () => objects.putText(keyOf(name), text)),
    get: (name) => onDisk('the kept log cannot be read', () => objects.text(keyOf(name))),
    list: async (after = '') => {
      const found = await objects.listAfter(prefix, `${prefix}${after}`)
      return found.map(({ key, sizeBytes }) => ({ name: key.slice(prefix.length), bytes: sizeBytes }))
    },
    remove: (name) => objects.remove(keyOf(name)),
  }
}
