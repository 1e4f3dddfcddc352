export * from './create-upload'
export * from './delete-build'
export * from './read-builds'
export * from './register-image'
