// Collects garbage on demand in the service's main thread and in its worker threads, because an idle thread does not
// collect its garbage.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
// V8 compacts the heap by itself only when memory is short. Without compaction the gaps between live objects would look
// like growth for hours.
setFlagsFromString('--compact-on-every-full-gc')
export const collect = runInNewContext('gc')

const channel = new BroadcastChannel('matchyard-soak')
channel.unref()
if (!isMainThread) channel.onmessage = () => collect()

/** Tells all other threads to collect their garbage. */
export const collectElsewhere = () => channel.postMessage('collect')
