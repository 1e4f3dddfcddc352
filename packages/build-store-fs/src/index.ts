export { type FileBuildStoreOptions, fileBuildStore } from './file-build-store'
export { ARCHIVE_LIMITS, type ArchiveLimits } from './limits'
