extension LanguageTable {
  /// Part 1 of the language facts, `1C Enterprise` to `Fortran`. The format is that of ``init(_:)``.
  static var facts1: StaticString {
    """
    1C Enterprise	p			814ccc	.bsl .os
    2-Dimensional Array	d			38761d	.2da
    4D	p			004289	.4dm
    ABAP	p			e8274b	.abap
    ABAP CDS	p			555e25	.asddls
    ABNF	d				.abnf
    ActionScript	p			882b0f	.as			actionscript 3|actionscript3|as3
    Ada	p			02f88c	.adb .ada .ads			ada95|ada2005
    Adblock Filter List	d			800000	.txt			ad block filters|ad block|adb|adblock
    Adobe Font Metrics	d			fa0f00	.afm			acfm|adobe composite font metrics|adobe multiple font metrics|amfm
    Agda	p			315665	.agda
    AGS Script	p			b9d9ff	.asc .ash			ags
    AIDL	p			34eb6b	.aidl		aidl
    Aiken	p			640ff8	.ak
    AL	p			3aa2b5	.al
    Aleo	p			154bf9	.aleo
    ALGOL	p			d1e0db	.alg
    Alloy	p			64c800	.als
    Alpine Abuild	p	Shell		0d597f		APKBUILD		abuild|apkbuild
    Altium Designer	d			a89663	.OutJob .PcbDoc .PrjPCB .SchDoc			altium
    AMPL	p			e6efbb	.ampl .mod
    AngelScript	p			c7d7dc	.as .angelscript
    Answer Set Programming	p			a9cc29	.lp		clingo
    Ant Build System	d			a9157e		ant.xml|build.xml
    Antlers	m			ff269e	.antlers.html .antlers.php .antlers.xml
    ANTLR	p			9dc3ff	.g4
    ApacheConf	d			d12127	.apacheconf .vhost	.htaccess|apache2.conf|httpd.conf		aconf|apache
    Apex	p			1797c0	.cls .apex .trigger
    API Blueprint	m			2acca8	.apib
    APL	p			5a8164	.apl .dyalog		apl aplx dyalog
    Apollo Guidance Computer	p	Assembly		0b3d91	.agc
    AppleScript	p			101f1f	.applescript .scpt		osascript	apples|osascript
    Arc	p			aa2afe	.arc
    AsciiDoc	t			73a0c5	.asciidoc .adoc .asc
    ASL	p				.asl .dsl
    ASN.1	d				.asn .asn1
    ASP.NET	p			9400ff	.asax .ascx .ashx .asmx .aspx .axd			aspx|aspx-vb
    AspectJ	p			a957b0	.aj
    Assembly	p			6e4c13	.asm .a51 .i .inc .nas .nasm .s			asm|nasm
    Astro	m			ff5a03	.astro
    Asymptote	p			ff0000	.asy		asy
    ATS	p			1ac620	.dats .hats .sats			ats2
    Augeas	p			9cc134	.aug
    AutoHotkey	p			6594b9	.ahk .ah1 .ah2 .ahkl			ahk
    AutoIt	p			1c3552	.au3			au3|AutoIt3|AutoItScript
    Avro IDL	d			0040ff	.avdl
    Awk	p			c30e9b	.awk .auk .gawk .mawk .nawk		awk gawk mawk nawk
    B	p			da7666	.b
    B (Formal Method)	p			8aa8c5	.mch
    B4X	p			00e4ff	.bas			basic for android
    Ballerina	p			ff5000	.bal
    BAML	p			a855f7	.baml
    BASIC	p			ff0000	.bas
    Batchfile	p			c1f12e	.bat .cmd	gradlew.bat|mvnw.cmd		bat|batch|dosbatch|winbatch
    BBCode	m			caff42	.bbcode
    Beef	p			a52f4e	.bf
    Befunge	p				.befunge .bf
    Berry	p			15a13c	.be			be
    BibTeX	m	TeX		778899	.bib .bibtex
    BibTeX Style	p				.bst
    Bicep	p			519aba	.bicep .bicepparam
    Bikeshed	m			5562ac	.bs
    BIRD2	d			b6d7e4		bird.conf		bird|bird3
    Bison	p	Yacc		6a463f	.bison
    BitBake	p			00bce4	.bb .bbappend .bbclass .inc
    Blade	m			f7523f	.blade .blade.php
    BlitzBasic	p			00ffae	.bb .decls			b3d|blitz3d|blitzplus|bplus
    BlitzMax	p			cd6400	.bmx			bmax
    Blueprint	m			3584e4	.blp			blp
    Bluespec	p			12223c	.bsv			bluespec bsv|bsv
    Bluespec BH	p	Bluespec		12223c	.bs			bh|bluespec classic
    Boo	p			d4bec1	.boo
    Boogie	p			c80fa0	.bpl		boogie
    BQN	p			2b7067	.bqn
    Brainfuck	p			2f2530	.b .bf
    BrighterScript	p			66aabb	.bs
    Brightscript	p			662d91	.brs
    Browserslist	d			ffd539		.browserslistrc|browserslist
    Bru	m			f4aa41	.bru
    BuildStream	d			006bff	.bst
    C	p		1	555555	.c .cats .h .h.in .idc		tcc
    C#	p		1	7355dd	.cs .cake .cs.pp .csx .linq			csharp|cake|cakescript
    C++	p		1	f34b7d	.cpp .c++ .cc .cp .cppm .cxx .h .h++ .hh .hpp .hxx .inc .inl .ino .ipp .ixx .re .tcc .tpp .txx			cpp
    C-ObjDump	d				.c-objdump
    C2hs Haskell	p	Haskell			.chs			c2hs
    C3	p			2563eb	.c3
    Cabal Config	d			483465	.cabal	cabal.config|cabal.project		Cabal
    Caddyfile	d			22b638	.caddyfile	Caddyfile		Caddy
    Cadence	p			00ef8b	.cdc
    Cairo	p			ff4a48	.cairo
    Cairo Zero	p	Cairo		ff4a48	.cairo
    CameLIGO	p	LigoLANG		3be133	.mligo
    Cangjie	p			00868b	.cj
    CAP CDS	p			0092d1	.cds			cds
    Cap'n Proto	p			c42727	.capnp
    Carbon	p			222222	.carbon
    CartoCSS	p				.mss			Carto
    Ceylon	p			dfa535	.ceylon
    Chapel	p			8dc63f	.chpl			chpl
    Charity	p				.ch
    Checksums	d				.crc32 .md2 .md4 .md5 .sha1 .sha2 .sha224 .sha256 .sha256sum .sha3 .sha384 .sha512	MD5SUMS|SHA1SUMS|SHA256SUMS|SHA256SUMS.txt|SHA512SUMS|checksums.txt|cksums|md5sum.txt		checksum|hash|hashes|sum|sums
    ChucK	p			3f8000	.ck
    CIL	d				.cil
    Circom	p			707575	.circom
    Cirru	p			ccccff	.cirru
    Clarion	p			db901e	.clw
    Clarity	p			5546ff	.clar
    Classic ASP	p			6a40fd	.asp			asp
    Clean	p			3f85af	.icl .dcl
    Click	p			e4e6f3	.click
    CLIPS	p			00a300	.clp
    Clojure	p			db5855	.clj .bb .boot .cl2 .cljc .cljs .cljs.hl .cljscm .cljx .hic	riemann.config	bb
    Closure Templates	m			0d948f	.soy			soy
    Cloud Firestore Security Rules	d			ffa000		firestore.rules
    Clue	p			0009b5	.clue
    CMake	p			da3434	.cmake .cmake.in	CMakeLists.txt
    COBOL	p				.cob .cbl .ccp .cobol .cpy
    CODEOWNERS	d					CODEOWNERS
    CodeQL	p			140f46	.ql .qll			ql
    CoffeeScript	p		1	244776	.coffee ._coffee .cake .cjsx .coffee.erb .iced	Cakefile	coffee	coffee|coffee-script
    ColdFusion	p			ed2cd6	.cfm .cfml			cfm|cfml|coldfusion html
    ColdFusion CFC	p	ColdFusion		ed2cd6	.cfc			cfc
    COLLADA	d			f1a42b	.dae
    Common Lisp	p			3fb68b	.lisp .asd .cl .l .lsp .ny .podsl .sexp		lisp sbcl ccl clisp ecl	lisp
    Common Workflow Language	p			b5314c	.cwl		cwl-runner	cwl
    Component Pascal	p			b0ce4e	.cp .cps
    CoNLL-U	d				.conllu .conll			CoNLL|CoNLL-X
    Cooklang	m			e15a29	.cook
    Cool	p				.cl
    Cpp-ObjDump	d				.cppobjdump .c++-objdump .c++objdump .cpp-objdump .cxx-objdump			c++-objdump
    CQL	p			006091	.cql
    Creole	t				.creole
    crontab	d			ead7ac		crontab		cron|cron table
    Crystal	p			000100	.cr		crystal
    CSON	d			244776	.cson
    Csound	p			1a1a1a	.orc .udo			csound-orc
    Csound Document	p			1a1a1a	.csd			csound-csd
    Csound Score	p			1a1a1a	.sco			csound-sco
    CSS	m		1	663399	.css
    CSV	d			237346	.csv
    Cuda	p			3a4e3a	.cu .cuh
    CUE	p			5886e1	.cue
    Cue Sheet	d				.cue
    cURL Config	d	INI				.curlrc|_curlrc		curlrc
    Curry	p			531242	.curry
    CWeb	p			00007a	.w
    Cycript	p				.cy
    Cylc	d	INI		00b3fd	.cylc	suite.rc
    Cypher	p			34c0eb	.cyp .cypher
    Cython	p			fedf5b	.pyx .pxd .pxi			pyrex
    D	p			ba595e	.d .di			Dlang
    D-ObjDump	d				.d-objdump
    D2	m			526ee8	.d2			d2lang
    Dafny	p			ffec25	.dfy		dafny
    Darcs Patch	d			8eff23	.darcspatch .dpatch			dpatch
    Dart	p		1	00b4ab	.dart		dart
    Daslang	p			d3d3d3	.das
    DataWeave	p			003a52	.dwl
    Debian Package Control File	d			d70751	.dsc
    DenizenScript	p			fbee96	.dsc
    desktop	d	INI			.desktop .desktop.in
    Dhall	p			dfafff	.dhall
    Diff	d				.diff .patch			udiff
    DIGITAL Command Language	p				.com			dcl
    dircolors	d				.dircolors	.dir_colors|.dircolors|DIR_COLORS|_dir_colors|_dircolors|dir_colors
    DirectX 3D File	d			aace60	.x
    DM	p		1	447265	.dm			byond
    DNS Zone	d				.zone .arpa
    Dockerfile	p			384d54	.dockerfile .containerfile	Containerfile|Dockerfile		Containerfile
    Dogescript	p			cca760	.djs
    Dotenv	d			e5d559	.env	.env|.env.ci|.env.dev|.env.development|.env.development.local|.env.example|.env.local|.env.prod|.env.production|.env.sample|.env.staging|.env.template|.env.test|.env.testing
    DTrace	p				.d		dtrace	dtrace-script
    Dune	p			89421e		dune-project
    Dylan	p			6c616e	.dylan .dyl .intr .lid
    E	p			ccce35	.e		rune
    E-mail	d				.eml .mbox			email|eml|mail|mbox
    Eagle	d				.sch .brd
    Earthly	p			2af0ff		Earthfile		Earthfile
    Easybuild	d	Python		069406	.eb
    EBNF	d				.ebnf
    eC	p			913960	.ec .eh
    Ecere Projects	d	JavaScript		913960	.epj
    ECL	p			8a1267	.ecl .eclxml
    ECLiPSe	p	Prolog		001d9d	.ecl
    Ecmarkup	m	HTML		eb8131	.html			ecmarkdown
    Edge	m			0dffe0	.edge
    EdgeQL	p			31a7ff	.edgeql .esdl			esdl
    EditorConfig	d	INI		fff1f2	.editorconfig	.editorconfig		editor-config
    Edje Data Collection	d				.edc
    edn	d				.edn
    Eiffel	p			4d6977	.e
    EJS	m			a91e50	.ejs .ect .ejs.t .jst
    Elixir	p		1	6e4a7e	.ex .exs	mix.lock	elixir
    Elm	p			60b5cc	.elm
    Elvish	p			55bb55	.elv		elvish
    Elvish Transcript	p	Elvish		55bb55
    Emacs Lisp	p			c065db	.el .emacs .emacs.desktop	.abbrev_defs|.emacs|.emacs.desktop|.gnus|.spacemacs|.viper|Cask|Eask|Project.ede|_emacs|abbrev_defs		cask|eask|elisp|emacs
    EmberScript	p			fff4f3	.em .emberscript
    EQ	p			a78649	.eq
    Erlang	p			b83998	.erl .app .app.src .es .escript .hrl .xrl .yrl	Emakefile|rebar.config|rebar.config.lock|rebar.lock	escript
    Euphoria	p			ff790b	.e .ex		eui euiw
    F#	p			b845fc	.fs .fsi .fsx			fsharp
    F*	p			572e30	.fst .fsti			fstar
    Factor	p			636746	.factor	.factor-boot-rc|.factor-rc
    Fancy	p			7b9db4	.fy .fancypack	Fakefile
    Fantom	p			14253c	.fan
    Faust	p			c37240	.dsp
    Fennel	p			fff3d7	.fnl		fennel
    FIGlet Font	d			ffddbb	.flf			FIGfont
    Filebench WML	p			f6b900	.f
    Filterscript	p	RenderScript			.fs
    FIRRTL	p			2f632f	.fir
    fish	p	Shell		4aae47	.fish		fish
    FlatBuffers	d			ed284a	.fbs
    Flix	p			d44a45	.flix
    Fluent	p			ffcc33	.ftl
    FLUX	p			88ccff	.fx .flux
    Formatted	d				.for .eam.fs
    Forth	p			341708	.fth .4th .f .for .forth .fr .frt .fs
    Fortran	p			4d41b1	.f .f77 .for .fpp
    """
  }
}
