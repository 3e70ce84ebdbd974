const { src, dest } = require('gulp');

/** Copies what the compiler leaves behind: icons, codex files and output schemas. */
exports.default = () => src(['icons/*.svg', 'nodes/**/*.json'], { base: '.' }).pipe(dest('dist'));
