export { readBootId } from './boot-id'
export { executableFault, findOnPath, HEAD_BYTES, type Surroundings } from './executable-check'
export { checkedInstanceId, dropAbsent, isInstanceId, KEPT_ATTEMPTS, pruneEnded } from './instances'
export { type BoundSocket, familyOf, openSockets, socketsAround } from './kernel-sockets'
export { type Answer, knock } from './knock'
export { launchArguments, placeVariables, type ServerPlace, traceVariable } from './launch-arguments'
export { addressInUse, away, final, machineFault, noRoom, OK, portInUse, retry } from './launch-results'
export { Newcomers } from './newcomers'
export {
  DEFAULT_PORT_RANGE,
  isFree,
  PortFinder,
  type PortRange,
  takenPort,
} from './ports'
export { readAtMost } from './read-at-most'
export { type AskedPort, type Look, ReadinessJudge, type Started, type Verdict } from './readiness'
export { RoomKeeper } from './room-keeper'
export { CONFIG_FILE, CONFIG_PATH, SERVICE_ROOT } from './server-files'
export { Setbacks } from './setbacks'
export {
  makePrivate,
  modifiedAt,
  namesIn,
  putInPlace,
  readHead,
  readSmall,
  SMALL_FILE_BYTES,
  syncFolderOf,
  writeSynced,
} from './small-files'
export { hasCode, isMachineTrouble, isMissing } from './system-errors'
export { KEPT_UNUSED, PRUNED_AFTER, UnpackedBuilds } from './unpacked-builds'
