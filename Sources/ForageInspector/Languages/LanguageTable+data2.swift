extension LanguageTable {
  /// Part 2 of the language facts, `Fortran Free Form` to `MiniZinc Data`. The format is that of ``init(_:)``.
  static var facts2: StaticString {
    """
    Fortran Free Form	p	Fortran		4d41b1	.f90 .f03 .f08 .f95
    FPP	p			d37327	.fpp .fppi
    FreeBASIC	p			141ac9	.bi .bas			fb
    FreeMarker	p			0050b2	.ftl .ftlh			ftl
    Frege	p			00cafe	.fr
    Futhark	p			5f021f	.fut
    G-code	p			d08cf2	.g .cnc .gco .gcode
    Game Maker Language	p			71b417	.gml
    GAML	p			ffc766	.gaml
    GAMS	p			f49a22	.gms
    GAP	p			0000cc	.g .gap .gd .gi .tst
    GCC Machine Description	p			ffcfab	.md
    GDB	p				.gdb .gdbinit
    GDScript	p			355570	.gd
    GDShader	p			478cbf	.gdshader .gdshaderinc
    GEDCOM	d			003058	.ged
    Gemfile.lock	d			701516		Gemfile.lock
    Gemini	t			ff6900	.gmi			gemtext
    Genero 4gl	p			63408e	.4gl
    Genero per	m			d8df39	.per
    Genie	p			fb855d	.gs
    Genshi	p			951531	.kid			xml+genshi|xml+kid
    Gentoo Ebuild	p	Shell		9400ff	.ebuild
    Gentoo Eclass	p	Shell		9400ff	.eclass
    Gerber Image	d			d20b00	.gbr .cmp .gbl .gbo .gbp .gbs .gko .gml .gpb .gpt .gtl .gto .gtp .gts .ncl .sol		gerbv gerbview	rs-274x
    Gettext Catalog	t				.po .pot			pot
    Gherkin	p			5b2063	.feature .story			cucumber
    Git Attributes	d			f44d27		.gitattributes		gitattributes
    Git Commit	d			f44d27		.gitmessage|COMMIT_EDITMSG		commit
    Git Config	d	INI		f44d27	.gitconfig	.gitconfig|.gitmodules|.tgitconfig|config.worktree		gitconfig|gitmodules
    Git Revision List	d			f44d27		.git-blame-ignore-revs		Git Blame Ignore Revs
    Gleam	p			ffaff3	.gleam
    Glimmer JS	p	JavaScript		f5835f	.gjs			gjs
    Glimmer TS	p	TypeScript		3178c6	.gts			gts
    GLSL	p			5686a5	.glsl .fp .frag .frg .fs .fsh .fshader .geo .geom .glslf .glslv .gs .gshader .rchit .rmiss .shader .tesc .tese .vert .vrx .vs .vsh .vshader
    Glyph	p			c1ac7f	.glf
    Glyph Bitmap Distribution Format	d				.bdf
    GN	d				.gn .gni	.gn	gn
    Gno	p			226c57	.gno			gnolang
    Gnuplot	p			f0a9f0	.gp .gnu .gnuplot .p .plot .plt		gnuplot
    Go	p		1	00add8	.go			golang
    Go Checksums	d			00add8		go.sum|go.work.sum		go.sum|go sum|go.work.sum|go work sum
    Go Module	d			00add8		go.mod		go.mod|go mod
    Go Template	m			00add8	.gohtml .gotmpl .html.tmpl .tmpl .tpl	_helpers.tpl		gotmpl
    Go Workspace	d			00add8		go.work		go.work|go work
    Godot Resource	d			355570	.gdnlib .gdns .tres .tscn	project.godot
    Golo	p			88562a	.golo
    Gosu	p			82937f	.gs .gst .gsx .vark
    Grace	p			615f8b	.grace
    Gradle	d			02303a	.gradle
    Gradle Kotlin DSL	d	Gradle		02303a	.gradle.kts
    Grammatical Framework	p			ff0000	.gf			gf
    Graph Modeling Language	d				.gml
    GraphQL	d			e10098	.graphql .gql .graphqls
    Graphviz (DOT)	d			2596be	.dot .gv
    Groovy	p		1	4298b8	.groovy .grt .gtpl .gvy	Jenkinsfile	groovy
    Groovy Server Pages	p	Groovy		4298b8	.gsp			gsp|java server page
    GSC	p			ff6800	.gsc .csc .gsh
    GtkRC	d			7fe719	.gtkrc	gtkrc|gtkrc-2.0		gtk|gtk 1|gtk 2
    Hack	p			878787	.hack .hh .hhi .php
    Haml	m			ece2a9	.haml .haml.deface
    Handlebars	m			f7931e	.handlebars .hbs			hbs|htmlbars
    HAProxy	d			106da9	.cfg	haproxy.cfg
    Harbour	p			0e60e3	.hb
    Hare	p			9d7424	.ha
    Haskell	p			5e5086	.hs .hs-boot .hsc		runghc runhaskell runhugs
    Haxe	p			df7900	.hx .hxsl
    HCL	p			844fba	.hcl .nomad .tf .tfvars .tofu .workflow			HashiCorp Configuration Language|opentofu|terraform
    HIP	p			4f3a4f	.hip
    HiveQL	p			dce200	.q .hql
    HLSL	p			aace60	.hlsl .cginc .fx .fxh .hlsli
    HOCON	d			9ff8ee	.hocon	.scalafix.conf|.scalafmt.conf
    HolyC	p			ffefaf	.hc
    hoon	p			00b171	.hoon
    Hosts File	d			308888		HOSTS|hosts|hosts.txt		hosts
    HTML	m		1	e34c26	.html .hta .htm .html.hl .inc .xht .xhtml			xhtml
    HTML+ECR	m	HTML		2e1052	.ecr			ecr
    HTML+EEX	m	HTML		6e4a7e	.html.eex .heex .leex			eex|heex|leex
    HTML+ERB	m	HTML		701516	.erb .erb.deface .rhtml			erb|rhtml|html+ruby
    HTML+PHP	m	HTML		4f5d95	.phtml
    HTML+Razor	m	HTML		512be4	.cshtml .razor			razor
    HTTP	d			005c9c	.http
    Hurl	p			ff0288	.hurl
    HXML	d			f68712	.hxml
    Hy	p			7790b2	.hy		hy	hylang
    HyPhy	p				.bf
    iCalendar	d			ec564c	.ics .ical			iCal
    IDL	p			a3522f	.pro .dlm
    Idris	p			b30000	.idr .lidr
    Ignore List	d			000000	.gitignore	.agignore|.atomignore|.babelignore|.bzrignore|.ckignore|.coffeelintignore|.cvsignore|.dockerignore|.easignore|.eleventyignore|.eslint-ignore|.eslintignore|.gitignore|.ignore|.markdownlintignore|.nodemonignore|.npmignore|.prettierignore|.rgignore|.stylelintignore|.vercelignore|.vscodeignore|gitignore-global|gitignore_global		ignore|gitignore|git-ignore
    IGOR Pro	p			0000cc	.ipf			igor|igorpro
    IL Assembly	p			512bd4	.il			ilasm|msil
    ImageJ Macro	p			99aaff	.ijm			ijm
    Imba	p			16cec6	.imba
    ImHex Pattern Language	p			3a6be0	.hexpat			ImHex|ImHexPatternLanguage|imhexpl
    Inform 7	p				.ni .i7x			i7|inform7
    INI	d			d1dbe0	.ini .cfg .cnf .container .dof .frm .lektorproject .mount .network .prefs .pro .properties .service .socket .target .timer .url	.buckconfig|.coveragerc|.flake8|.gitreview|.pylintrc|HOSTS|buildozer.spec|hosts|pylintrc|vlcrc		conf|dosini
    Ink	p				.ink
    Inno Setup	p			264b99	.iss .isl
    Io	p			a9188d	.io		io
    Ioke	p			078193	.ik		ioke
    IRC log	d				.irclog .weechatlog			irc|irc logs
    Isabelle	p			fefe00	.thy
    Isabelle ROOT	p	Isabelle		fefe00		ROOT
    ISPC	p			2d68b1	.ispc
    J	p			9eedff	.ijs		jconsole
    Jac	p			fc792d	.jac
    Jai	p			ab8b4b	.jai
    Janet	p			0886a5	.janet		janet
    JAR Manifest	d			b07219		MANIFEST.MF
    Jasmin	p			d03600	.j
    JASS	p			ff0303	.j			jass2
    Java	p		1	b07219	.java .jav .jsh
    Java Properties	d			2a6277	.properties
    Java Server Pages	p	Java		2a6277	.jsp .tag			jsp
    Java Template Engine	p	Java		2a6277	.jte			jte
    JavaScript	p		1	f1e05a	.js ._js .bones .cjs .es .es6 .frag .gs .jake .javascript .jsb .jscad .jsfl .jslib .jsm .jspre .jss .jsx .mjs .njs .pac .sjs .ssjs .xsjs .xsjslib	Jakefile	bun chakra d8 deno gjs js node nodejs qjs rhino v8 v8-shell	js|node
    JavaScript+ERB	p	JavaScript		f1e05a	.js.erb
    JCL	p			d90e09	.jcl
    Jest Snapshot	d			15c213	.snap
    JetBrains MPS	p			21d789	.mps .mpl .msd			mps
    JFlex	p	Lex		dbca00	.flex .jflex
    Jinja	m			a52a22	.jinja .j2 .jinja2			django|html+django|html+jinja|htmldjango
    Jison	p	Yacc		56b3cb	.jison
    Jison Lex	p	Lex		56b3cb	.jisonlex
    Jolie	p			843179	.ol .iol		jolie
    jq	p			c7254e	.jq		gojq jaq jq jqjq jqq query-json
    JSON	d			292929	.json .4DForm .4DProject .avsc .geojson .gltf .har .ice .JSON-tmLanguage .json.example .jsonl .mcmeta .sarif .slnlaunch .tact .tfstate .tfstate.backup .topojson .webapp .webmanifest .yy .yyp	.all-contributorsrc|.arcconfig|.auto-changelog|.c8rc|.htmlhintrc|.imgbotconfig|.nycrc|.releaserc|.secrets.baseline|.tern-config|.tern-project|.watchmanconfig|MODULE.bazel.lock|Package.resolved|Pipfile.lock|bun.lock|composer.lock|deno.lock|flake.lock|mcmod.info		geojson|jsonl|sarif|topojson
    JSON with Comments	d	JSON		292929	.jsonc .code-snippets .code-workspace .hujson .sublime-build .sublime-color-scheme .sublime-commands .sublime-completions .sublime-keymap .sublime-macro .sublime-menu .sublime-mousemap .sublime-project .sublime-settings .sublime-theme .sublime-workspace .sublime_metrics .sublime_session .tsconfig.json	.babelrc|.devcontainer.json|.eslintrc|.eslintrc.json|.jscsrc|.jshintrc|.jslintrc|.oxlintrc.json|.swcrc|api-extractor.json|devcontainer.json|jsconfig.json|language-configuration.json|tsconfig.json|tslint.json		jsonc
    JSON5	d			267cb9	.json5
    JSONiq	p			40d47e	.jq
    JSONLD	d			0c479c	.jsonld
    Jsonnet	p			0064bd	.jsonnet .libsonnet
    Julia	p			a270ba	.jl		julia
    Julia REPL	p	Julia		a270ba
    Jupyter Notebook	m			da5b0b	.ipynb	Notebook		IPython Notebook
    Just	p			384d54	.just	.JUSTFILE|.Justfile|.justfile|JUSTFILE|Justfile|justfile		Justfile
    Kaitai Struct	p			773b37	.ksy			ksy
    KakouneScript	p			6f8042	.kak	kakrc		kak|kakscript
    KCL	p			7ababf	.k	kcl.mod|kcl.mod.lock
    KDL	d			ffb3b3	.kdl
    KerboScript	p			41adf0	.ks
    KFramework	p			4195c5	.k
    KiCad Layout	d			2f4aab	.kicad_pcb .kicad_mod .kicad_wks	fp-lib-table		pcbnew
    KiCad Legacy Layout	d			2f4aab	.brd
    KiCad Schematic	d			2f4aab	.kicad_sch .kicad_sym .sch			eeschema schematic
    Kickstart	d				.ks
    Kit	m				.kit
    Koka	p			215166	.kk		koka
    KoLmafia ASH	p			b9d9b9	.ash
    Kotlin	p		1	a97bff	.kt .ktm .kts
    KRL	p			28430a	.krl
    Kusto	d				.csl .kql
    kvlang	m			1da6e0	.kv
    LabVIEW	p			fede06	.lvproj .lvclass .lvlib
    Lambdapi	p			8027a3	.lp
    Langium	p			2c8c87	.langium
    Lark	d			2980b9	.lark
    Lasso	p			999999	.lasso .las .lasso8 .lasso9			lassoscript
    Latte	m			f2a542	.latte
    Lean	p				.lean .hlean
    Lean 4	p	Lean			.lean			lean4
    Leo	p			c4ffc2	.leo
    Less	m			1d365d	.less			less-css
    Lex	p			dbca00	.l .lex	Lexer.x|lexer.x		flex
    LFE	p			4c3023	.lfe
    LigoLANG	p			0e74ff	.ligo
    LilyPond	p			9ccc7c	.ly .ily
    Limbo	p				.b .m
    Linear Programming	p				.lp
    Linker Script	p				.ld .lds .x	ld.script
    Linux Kernel Module	d				.mod
    Liquid	m			67b8de	.liquid
    Liquidsoap	p			990066	.liq
    Literate Agda	p	Agda		315665	.lagda
    Literate CoffeeScript	p	CoffeeScript		244776	.litcoffee .coffee.md			litcoffee
    Literate Haskell	p	Haskell		5e5086	.lhs			lhaskell|lhs
    LiveCode Script	p			0c5ba5	.livecodescript
    LiveScript	p			499886	.ls ._ls	Slakefile		live-script|ls
    LLVM	p			185619	.ll
    Lobster	p			f95428	.lobster
    Logos	p				.xm .x .xi
    Logtalk	p			295b9a	.lgt .logtalk
    LOLCODE	p			cc9900	.lol
    LookML	p			652b81	.lkml .lookml
    LoomScript	p				.ls
    LSL	p			3d9970	.lsl .lslp		lsl
    LTspice Symbol	d				.asy
    Lua	p			000080	.lua .fcgi .nse .p8 .pd_lua .rbxs .rockspec .wlua	.luacheckrc	lua luajit
    Luau	p			00a2ff	.luau		luau
    M	p				.mumps .m			mumps
    M3U	d			179c7d	.m3u .m3u8			hls playlist|m3u playlist
    M4	p				.m4 .mc
    M4Sugar	p	M4			.m4	configure.ac		autoconf
    Macaulay2	p			d8ffff	.m2		M2	m2
    Makefile	p			427819	.mak .d .make .makefile .mk .mkfile	BSDmakefile|GNUmakefile|Kbuild|Makefile|Makefile.am|Makefile.boot|Makefile.frag|Makefile.in|Makefile.inc|Makefile.pc|Makefile.wat|makefile|makefile.sco|mkfile	make	bsdmake|make|mf
    Mako	p			7e858d	.mako .mao
    Markdown	t			083fa1	.md .livemd .markdown .mdown .mdwn .mkd .mkdn .mkdown .ronn .scd .workbook	contents.lr		md|pandoc
    Marko	m			42bff2	.marko			markojs
    Mask	m			f97732	.mask
    Mathematical Programming System	p			0530ad	.mps
    MATLAB	p			e16737	.matlab .m			octave
    Maven POM	d	XML				pom.xml
    Max	p			c4a79c	.maxpat .maxhelp .maxproj .mxt .pat			max/msp|maxmsp
    MAXScript	p			00a6a6	.ms .mcr
    mcfunction	p			e22837	.mcfunction
    mdsvex	m			5f9ea0	.svx
    MDX	m			fcb32c	.mdx
    Mercury	p			ff2b2b	.m .moo		mmi
    Mermaid	m			ff3670	.mmd .mermaid			mermaid example
    Meson	p			007800		meson.build|meson_options.txt
    Metal	p			8f14e9	.metal
    MeTTa	p			6a5acd	.metta
    Microsoft Developer Studio Project	d				.dsp
    Microsoft Visual Studio Solution	d				.sln
    MiniD	p				.minid
    MiniScript	p			4b4a56	.ms
    MiniYAML	d			ff1111	.yaml .yml
    MiniZinc	p			06a9e6	.mzn
    MiniZinc Data	d				.dzn
    """
  }
}
