// Collects garbage when it is told to, in the service's own thread and in those that it starts: an idle thread keeps its garbage.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
// Else the pages of the heap empty themselves unevenly, and what lies between what is held looks like growth for hours: V8 compacts
// by itself only when memory is short.
setFlagsFromString('--compact-on-every-full-gc')
export const collect = runInNewContext('gc')

const channel = new BroadcastChannel('matchyard-soak')
channel.unref()
if (!isMainThread) channel.onmessage = () => collect()

/** Tells every other thread. */
export const collectElsewhere = () => channel.postMessage('collect')
