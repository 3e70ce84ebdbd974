export { CredentialForm } from './credentialForm';
export { Editor } from './editor';
export { NodePanel } from './nodePanel';
