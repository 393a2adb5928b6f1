"""The words by which wishes are recognised, in nine languages."""

import re

FILM = re.compile(
    r"\b(?:films?|movies?|documentar(?:y|ies)|trailers?|clips?|videos?|slide ?shows?|animations?"
    r"|kurzfilm\w*|filme?s?|dokumentarfilm\w*|película\w*|vídeos?|vidéos?|filmati?|filmes?)\b"
    r"|영화|영상|동영상|비디오|다큐|필름|电影|影片|视频|短片|映画|動画|ビデオ|ドキュメンタリー",
    re.IGNORECASE,
)
POSTERS = re.compile(
    r"\b(?:posters|plakate|plakatserie|carteles|affiches|manifesti|cartazes)\b"
    r"|포스터 ?(?:시리즈|\d)|系列海报|海报系列|ポスターシリーズ",
    re.IGNORECASE,
)
IMAGE = re.compile(
    r"\b(?:picture|image|poster|drawing|painting|illustration|photo|logo|bild|plakat|zeichnung"
    r"|imagen|dibujo|cartel|affiche|immagine|imagem|cartaz)\b"
    r"|그림|이미지|사진|포스터|图片|图像|照片|海报|画|絵|画像|ポスター",
    re.IGNORECASE,
)
