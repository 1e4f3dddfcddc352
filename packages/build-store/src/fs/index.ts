export { type FileBuildStoreOptions, fileBuildStore } from './file-build-store'
