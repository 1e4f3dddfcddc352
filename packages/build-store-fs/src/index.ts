export { ARCHIVE_LIMITS, type ArchiveLimits } from '@matchyard/build-store-kit'
export { type FileBuildStoreOptions, fileBuildStore } from './file-build-store'
