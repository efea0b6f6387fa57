extension LanguageTable {
  /// Part 2 of the language facts, `GDB` to `Module Management System`; see `facts`.
  static let facts2 = """
    GDB	p			.gdb .gdbinit
    GDScript	p			.gd
    GDShader	p			.gdshader .gdshaderinc
    GEDCOM	d			.ged
    Gemfile.lock	d				Gemfile.lock
    Gemini	t			.gmi
    Genero 4gl	p			.4gl
    Genero per	m			.per
    Genie	p			.gs
    Genshi	p			.kid
    Gentoo Ebuild	p	Shell		.ebuild
    Gentoo Eclass	p	Shell		.eclass
    Gerber Image	d			.gbr .cmp .gbl .gbo .gbp .gbs .gko .gml .gpb .gpt .gtl .gto .gtp .gts .ncl .sol		gerbv \
    gerbview
    Gettext Catalog	t			.po .pot
    Gherkin	p			.feature .story
    Git Attributes	d				.gitattributes
    Git Commit	d				.gitmessage|COMMIT_EDITMSG
    Git Config	d	INI		.gitconfig	.gitconfig|.gitmodules|.tgitconfig|config.worktree
    Git Revision List	d				.git-blame-ignore-revs
    Gleam	p			.gleam
    Glimmer JS	p	JavaScript		.gjs
    Glimmer TS	p	TypeScript		.gts
    GLSL	p			.glsl .fp .frag .frg .fs .fsh .fshader .geo .geom .glslf .glslv .gs .gshader .rchit .rmiss \
    .shader .tesc .tese .vert .vrx .vs .vsh .vshader
    Glyph	p			.glf
    Glyph Bitmap Distribution Format	d			.bdf
    GN	d			.gn .gni	.gn	gn
    Gno	p			.gno
    Gnuplot	p			.gp .gnu .gnuplot .p .plot .plt		gnuplot
    Go	p		1	.go
    Go Checksums	d				go.sum|go.work.sum
    Go Module	d				go.mod
    Go Template	m			.gohtml .gotmpl .html.tmpl .tmpl .tpl	_helpers.tpl
    Go Workspace	d				go.work
    Godot Resource	d			.gdnlib .gdns .tres .tscn	project.godot
    Golo	p			.golo
    Gosu	p			.gs .gst .gsx .vark
    Grace	p			.grace
    Gradle	d			.gradle
    Gradle Kotlin DSL	d	Gradle		.gradle.kts
    Grammatical Framework	p			.gf
    Graph Modeling Language	d			.gml
    GraphQL	d			.graphql .gql .graphqls
    Graphviz (DOT)	d			.dot .gv
    Groovy	p		1	.groovy .grt .gtpl .gvy	Jenkinsfile	groovy
    Groovy Server Pages	p	Groovy		.gsp
    GSC	p			.gsc .csc .gsh
    GtkRC	d			.gtkrc	gtkrc|gtkrc-2.0
    Hack	p			.hack .hh .hhi .php
    Haml	m			.haml .haml.deface
    Handlebars	m			.handlebars .hbs
    HAProxy	d			.cfg	haproxy.cfg
    Harbour	p			.hb
    Hare	p			.ha
    Haskell	p			.hs .hs-boot .hsc		runghc runhaskell runhugs
    Haxe	p			.hx .hxsl
    HCL	p			.hcl .nomad .tf .tfvars .tofu .workflow
    HIP	p			.hip
    HiveQL	p			.q .hql
    HLSL	p			.hlsl .cginc .fx .fxh .hlsli
    HOCON	d			.hocon	.scalafix.conf|.scalafmt.conf
    HolyC	p			.hc
    hoon	p			.hoon
    Hosts File	d				HOSTS|hosts|hosts.txt
    HTML	m		1	.html .hta .htm .html.hl .inc .xht .xhtml
    HTML+ECR	m	HTML		.ecr
    HTML+EEX	m	HTML		.html.eex .heex .leex
    HTML+ERB	m	HTML		.erb .erb.deface .rhtml
    HTML+PHP	m	HTML		.phtml
    HTML+Razor	m	HTML		.cshtml .razor
    HTTP	d			.http
    Hurl	p			.hurl
    HXML	d			.hxml
    Hy	p			.hy		hy
    HyPhy	p			.bf
    iCalendar	d			.ics .ical
    IDL	p			.pro .dlm
    Idris	p			.idr .lidr
    Ignore List	d			.gitignore	.agignore|.atomignore|.babelignore|.bzrignore|.ckignore|.coffeelintignore|\
    .cvsignore|.dockerignore|.easignore|.eleventyignore|.eslint-ignore|.eslintignore|.gitignore|.ignore|\
    .markdownlintignore|.nodemonignore|.npmignore|.prettierignore|.rgignore|.stylelintignore|.vercelignore|\
    .vscodeignore|gitignore-global|gitignore_global
    IGOR Pro	p			.ipf
    IL Assembly	p			.il
    ImageJ Macro	p			.ijm
    Imba	p			.imba
    ImHex Pattern Language	p			.hexpat
    Inform 7	p			.ni .i7x
    INI	d			.ini .cfg .cnf .container .dof .frm .lektorproject .mount .network .prefs .pro .properties \
    .service .socket .target .timer .url	.buckconfig|.coveragerc|.flake8|.gitreview|.pylintrc|HOSTS|\
    buildozer.spec|hosts|pylintrc|vlcrc
    Ink	p			.ink
    Inno Setup	p			.iss .isl
    Io	p			.io		io
    Ioke	p			.ik		ioke
    IRC log	d			.irclog .weechatlog
    Isabelle	p			.thy
    Isabelle ROOT	p	Isabelle			ROOT
    ISPC	p			.ispc
    J	p			.ijs		jconsole
    Jac	p			.jac
    Jai	p			.jai
    Janet	p			.janet		janet
    JAR Manifest	d				MANIFEST.MF
    Jasmin	p			.j
    JASS	p			.j
    Java	p		1	.java .jav .jsh
    Java Properties	d			.properties
    Java Server Pages	p	Java		.jsp .tag
    Java Template Engine	p	Java		.jte
    JavaScript	p		1	.js ._js .bones .cjs .es .es6 .frag .gs .jake .javascript .jsb .jscad .jsfl .jslib .jsm \
    .jspre .jss .jsx .mjs .njs .pac .sjs .ssjs .xsjs .xsjslib	Jakefile	bun chakra d8 deno gjs js node \
    nodejs qjs rhino v8 v8-shell
    JavaScript+ERB	p	JavaScript		.js.erb
    JCL	p			.jcl
    Jest Snapshot	d			.snap
    JetBrains MPS	p			.mps .mpl .msd
    JFlex	p	Lex		.flex .jflex
    Jinja	m			.jinja .j2 .jinja2
    Jison	p	Yacc		.jison
    Jison Lex	p	Lex		.jisonlex
    Jolie	p			.ol .iol		jolie
    jq	p			.jq		gojq jaq jq jqjq jqq query-json
    JSON	d			.json .4DForm .4DProject .avsc .geojson .gltf .har .ice .JSON-tmLanguage .json.example .jsonl \
    .mcmeta .sarif .slnlaunch .tact .tfstate .tfstate.backup .topojson .webapp .webmanifest .yy .yyp	\
    .all-contributorsrc|.arcconfig|.auto-changelog|.c8rc|.htmlhintrc|.imgbotconfig|.nycrc|.releaserc|\
    .secrets.baseline|.tern-config|.tern-project|.watchmanconfig|MODULE.bazel.lock|Package.resolved|\
    Pipfile.lock|bun.lock|composer.lock|deno.lock|flake.lock|mcmod.info
    JSON with Comments	d	JSON		.jsonc .code-snippets .code-workspace .hujson .sublime-build \
    .sublime-color-scheme .sublime-commands .sublime-completions .sublime-keymap .sublime-macro \
    .sublime-menu .sublime-mousemap .sublime-project .sublime-settings .sublime-theme .sublime-workspace \
    .sublime_metrics .sublime_session .tsconfig.json	.babelrc|.devcontainer.json|.eslintrc|.eslintrc.json|\
    .jscsrc|.jshintrc|.jslintrc|.oxlintrc.json|.swcrc|api-extractor.json|devcontainer.json|jsconfig.json|\
    language-configuration.json|tsconfig.json|tslint.json
    JSON5	d			.json5
    JSONiq	p			.jq
    JSONLD	d			.jsonld
    Jsonnet	p			.jsonnet .libsonnet
    Julia	p			.jl		julia
    Julia REPL	p	Julia
    Jupyter Notebook	m			.ipynb	Notebook
    Just	p			.just	.JUSTFILE|.Justfile|.justfile|JUSTFILE|Justfile|justfile
    Kaitai Struct	p			.ksy
    KakouneScript	p			.kak	kakrc
    KCL	p			.k	kcl.mod|kcl.mod.lock
    KDL	d			.kdl
    KerboScript	p			.ks
    KFramework	p			.k
    KiCad Layout	d			.kicad_pcb .kicad_mod .kicad_wks	fp-lib-table
    KiCad Legacy Layout	d			.brd
    KiCad Schematic	d			.kicad_sch .kicad_sym .sch
    Kickstart	d			.ks
    Kit	m			.kit
    Koka	p			.kk		koka
    KoLmafia ASH	p			.ash
    Kotlin	p		1	.kt .ktm .kts
    KRL	p			.krl
    Kusto	d			.csl .kql
    kvlang	m			.kv
    LabVIEW	p			.lvproj .lvclass .lvlib
    Lambdapi	p			.lp
    Langium	p			.langium
    Lark	d			.lark
    Lasso	p			.lasso .las .lasso8 .lasso9
    Latte	m			.latte
    Lean	p			.lean .hlean
    Lean 4	p	Lean		.lean
    Leo	p			.leo
    Less	m			.less
    Lex	p			.l .lex	Lexer.x|lexer.x
    LFE	p			.lfe
    LigoLANG	p	LigoLANG		.ligo
    LilyPond	p			.ly .ily
    Limbo	p			.b .m
    Linear Programming	p			.lp
    Linker Script	p			.ld .lds .x	ld.script
    Linux Kernel Module	d			.mod
    Liquid	m			.liquid
    Liquidsoap	p			.liq
    Literate Agda	p	Agda		.lagda
    Literate CoffeeScript	p	CoffeeScript		.litcoffee .coffee.md
    Literate Haskell	p	Haskell		.lhs
    LiveCode Script	p			.livecodescript
    LiveScript	p			.ls ._ls	Slakefile
    LLVM	p			.ll
    Lobster	p			.lobster
    Logos	p			.xm .x .xi
    Logtalk	p			.lgt .logtalk
    LOLCODE	p			.lol
    LookML	p			.lkml .lookml
    LoomScript	p			.ls
    LSL	p			.lsl .lslp		lsl
    LTspice Symbol	d			.asy
    Lua	p			.lua .fcgi .nse .p8 .pd_lua .rbxs .rockspec .wlua	.luacheckrc	lua luajit
    Luau	p			.luau		luau
    M	p			.mumps .m
    M3U	d			.m3u .m3u8
    M4	p			.m4 .mc
    M4Sugar	p	M4		.m4	configure.ac
    Macaulay2	p			.m2		M2
    Makefile	p			.mak .d .make .makefile .mk .mkfile	BSDmakefile|GNUmakefile|Kbuild|Makefile|Makefile.am|\
    Makefile.boot|Makefile.frag|Makefile.in|Makefile.inc|Makefile.pc|Makefile.wat|makefile|makefile.sco|\
    mkfile	make
    Mako	p			.mako .mao
    Markdown	t			.md .livemd .markdown .mdown .mdwn .mkd .mkdn .mkdown .ronn .scd .workbook	contents.lr
    Marko	m			.marko
    Mask	m			.mask
    Mathematical Programming System	p			.mps
    MATLAB	p			.matlab .m
    Maven POM	d	XML			pom.xml
    Max	p			.maxpat .maxhelp .maxproj .mxt .pat
    MAXScript	p			.ms .mcr
    mcfunction	p			.mcfunction
    mdsvex	m			.svx
    MDX	m			.mdx
    Mercury	p			.m .moo		mmi
    Mermaid	m			.mmd .mermaid
    Meson	p				meson.build|meson_options.txt
    Metal	p			.metal
    MeTTa	p			.metta
    Microsoft Developer Studio Project	d			.dsp
    Microsoft Visual Studio Solution	d			.sln
    MiniD	p			.minid
    MiniScript	p			.ms
    MiniYAML	d			.yaml .yml
    MiniZinc	p			.mzn
    MiniZinc Data	d			.dzn
    Mint	p			.mint
    Mirah	p			.druby .duby .mirah
    mIRC Script	p			.mrc
    MLIR	p			.mlir
    Modelica	p			.mo
    Modula-2	p			.mod
    Modula-3	p			.i3 .ig .m3 .mg
    Module Management System	p			.mms .mmk	descrip.mmk|descrip.mms
    """
}
