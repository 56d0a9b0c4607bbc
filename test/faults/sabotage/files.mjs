const SPEC = 'test/areas/artifact-files.spec.ts';

export const seeds = [
  {
    name: 'the length of an upload is not signed',
    file: 'src/platform/files/file-addresses.ts',
    find: `    signQuery: true,
    // By default, the length and the type would not be signed.
    allHeaders: true,`,
    replace: '    signQuery: true,',
    caughtBy: SPEC,
    test: 'gives the artifact and an address at the store that takes only what was announced',
  },
  {
    name: 'a dry run gives an address away',
    file: 'src/platform/http/requests/is-final.ts',
    find: 'return request.isDryRun !== true && parentRequestOf(request) === undefined;',
    replace: 'return parentRequestOf(request) === undefined;',
    caughtBy: SPEC,
    test: 'gives no address in a dry run, and none in a batch, which can be rolled back',
  },
  {
    name: 'a stored file can be replaced',
    file: 'src/modules/artifacts/artifact-file.rules.ts',
    find: `if (file?.state !== 'stored') return;`,
    replace: `if (file?.state !== 'lost') return;`,
    caughtBy: SPEC,
    test: 'is possible for artifacts of the kind file without one, and for no others',
  },
  {
    name: 'viewers upload files',
    file: 'src/access/permissions/work.ts',
    find: `artifacts_upload: roleInEndeavour('member',`,
    replace: `artifacts_upload: roleInEndeavour('viewer',`,
    caughtBy: SPEC,
    test: 'is for those who see the artifact; uploading is for members',
  },
  {
    name: 'files are read before the store has confirmed them',
    file: 'src/modules/artifacts/artifact-files.service.ts',
    find: `if (file.state !== 'stored') throw rules.notUploaded();`,
    replace: '',
    caughtBy: SPEC,
    test: 'gives an address for five minutes once the file is stored',
  },
  {
    name: 'objects of erased artifacts stay in the store',
    file: 'src/modules/artifacts/file-removals.service.ts',
    find: 'await this.removals.postpone(key, problem, seconds);',
    replace: 'await this.removals.done(key);',
    caughtBy: SPEC,
    test: 'is asked again, and the metrics and the doctor say so',
  },
];
