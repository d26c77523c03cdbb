; ModuleID = 'warps.cu'
source_filename = "warps.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ12block_reduceE1s = internal addrspace(3) global [32 x i32] undef, align 4
@_ZZ12warp_barrierE1s = internal addrspace(3) global [128 x i32] undef, align 4

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @shuffles(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !14
  store ptr %1, ptr %5, align 8, !tbaa !14
  store i32 %2, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %12 = mul nsw i32 %10, %11
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %14 = add nsw i32 %12, %13
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %16 = mul nsw i32 %14, %15
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = add nsw i32 %16, %17
  store i32 %18, ptr %7, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #5
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %20 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %21 = mul nsw i32 %19, %20
  %22 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %23 = mul nsw i32 %21, %22
  store i32 %23, ptr %8, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #5
  %24 = load ptr, ptr %4, align 8, !tbaa !14
  %25 = load i32, ptr %7, align 4, !tbaa !18
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds i32, ptr %24, i64 %26
  %28 = load i32, ptr %27, align 4, !tbaa !18
  store i32 %28, ptr %9, align 4, !tbaa !18
  %29 = load i32, ptr %9, align 4, !tbaa !18
  %30 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %29, i32 3, i32 31)
  %31 = load ptr, ptr %5, align 8, !tbaa !14
  %32 = load i32, ptr %7, align 4, !tbaa !18
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i32, ptr %31, i64 %33
  store i32 %30, ptr %34, align 4, !tbaa !18
  %35 = load i32, ptr %9, align 4, !tbaa !18
  %36 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %35, i32 5, i32 0)
  %37 = load ptr, ptr %5, align 8, !tbaa !14
  %38 = load i32, ptr %8, align 4, !tbaa !18
  %39 = load i32, ptr %7, align 4, !tbaa !18
  %40 = add nsw i32 %38, %39
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %37, i64 %41
  store i32 %36, ptr %42, align 4, !tbaa !18
  %43 = load i32, ptr %9, align 4, !tbaa !18
  %44 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %43, i32 7, i32 31)
  %45 = load ptr, ptr %5, align 8, !tbaa !14
  %46 = load i32, ptr %8, align 4, !tbaa !18
  %47 = mul nsw i32 2, %46
  %48 = load i32, ptr %7, align 4, !tbaa !18
  %49 = add nsw i32 %47, %48
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds i32, ptr %45, i64 %50
  store i32 %44, ptr %51, align 4, !tbaa !18
  %52 = load i32, ptr %9, align 4, !tbaa !18
  %53 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %52, i32 9, i32 31)
  %54 = load ptr, ptr %5, align 8, !tbaa !14
  %55 = load i32, ptr %8, align 4, !tbaa !18
  %56 = mul nsw i32 3, %55
  %57 = load i32, ptr %7, align 4, !tbaa !18
  %58 = add nsw i32 %56, %57
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds i32, ptr %54, i64 %59
  store i32 %53, ptr %60, align 4, !tbaa !18
  %61 = load i32, ptr %9, align 4, !tbaa !18
  %62 = load i32, ptr %9, align 4, !tbaa !18
  %63 = load i32, ptr %6, align 4, !tbaa !18
  %64 = add nsw i32 %62, %63
  %65 = and i32 %64, 31
  %66 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %61, i32 %65, i32 31)
  %67 = load ptr, ptr %5, align 8, !tbaa !14
  %68 = load i32, ptr %8, align 4, !tbaa !18
  %69 = mul nsw i32 4, %68
  %70 = load i32, ptr %7, align 4, !tbaa !18
  %71 = add nsw i32 %69, %70
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds i32, ptr %67, i64 %72
  store i32 %66, ptr %73, align 4, !tbaa !18
  %74 = load i32, ptr %9, align 4, !tbaa !18
  %75 = load i32, ptr %6, align 4, !tbaa !18
  %76 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %74, i32 %75, i32 6175)
  %77 = load ptr, ptr %5, align 8, !tbaa !14
  %78 = load i32, ptr %8, align 4, !tbaa !18
  %79 = mul nsw i32 5, %78
  %80 = load i32, ptr %7, align 4, !tbaa !18
  %81 = add nsw i32 %79, %80
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds i32, ptr %77, i64 %82
  store i32 %76, ptr %83, align 4, !tbaa !18
  %84 = load i32, ptr %9, align 4, !tbaa !18
  %85 = load i32, ptr %6, align 4, !tbaa !18
  %86 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %84, i32 %85, i32 6144)
  %87 = load ptr, ptr %5, align 8, !tbaa !14
  %88 = load i32, ptr %8, align 4, !tbaa !18
  %89 = mul nsw i32 6, %88
  %90 = load i32, ptr %7, align 4, !tbaa !18
  %91 = add nsw i32 %89, %90
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds i32, ptr %87, i64 %92
  store i32 %86, ptr %93, align 4, !tbaa !18
  %94 = load i32, ptr %9, align 4, !tbaa !18
  %95 = load i32, ptr %6, align 4, !tbaa !18
  %96 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %94, i32 %95, i32 4127)
  %97 = load ptr, ptr %5, align 8, !tbaa !14
  %98 = load i32, ptr %8, align 4, !tbaa !18
  %99 = mul nsw i32 7, %98
  %100 = load i32, ptr %7, align 4, !tbaa !18
  %101 = add nsw i32 %99, %100
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds i32, ptr %97, i64 %102
  store i32 %96, ptr %103, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @votes(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !14
  store ptr %1, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #5
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %9, ptr %5, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %10, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  %11 = load ptr, ptr %3, align 8, !tbaa !14
  %12 = load i32, ptr %5, align 4, !tbaa !18
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds i32, ptr %11, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !18
  store i32 %15, ptr %7, align 4, !tbaa !18
  %16 = load i32, ptr %7, align 4, !tbaa !18
  %17 = icmp sgt i32 %16, 2
  %18 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %17)
  %19 = load ptr, ptr %4, align 8, !tbaa !14
  %20 = load i32, ptr %5, align 4, !tbaa !18
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i32, ptr %19, i64 %21
  store i32 %18, ptr %22, align 4, !tbaa !18
  %23 = load i32, ptr %7, align 4, !tbaa !18
  %24 = icmp sgt i32 %23, -1
  %25 = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %24)
  %26 = zext i1 %25 to i32
  %27 = load ptr, ptr %4, align 8, !tbaa !14
  %28 = load i32, ptr %6, align 4, !tbaa !18
  %29 = load i32, ptr %5, align 4, !tbaa !18
  %30 = add nsw i32 %28, %29
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds i32, ptr %27, i64 %31
  store i32 %26, ptr %32, align 4, !tbaa !18
  %33 = load i32, ptr %7, align 4, !tbaa !18
  %34 = icmp sgt i32 %33, 6
  %35 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %34)
  %36 = zext i1 %35 to i32
  %37 = load ptr, ptr %4, align 8, !tbaa !14
  %38 = load i32, ptr %6, align 4, !tbaa !18
  %39 = mul nsw i32 2, %38
  %40 = load i32, ptr %5, align 4, !tbaa !18
  %41 = add nsw i32 %39, %40
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i32, ptr %37, i64 %42
  store i32 %36, ptr %43, align 4, !tbaa !18
  %44 = load i32, ptr %7, align 4, !tbaa !18
  %45 = icmp sgt i32 %44, 2
  %46 = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %45)
  %47 = zext i1 %46 to i32
  %48 = load ptr, ptr %4, align 8, !tbaa !14
  %49 = load i32, ptr %6, align 4, !tbaa !18
  %50 = mul nsw i32 3, %49
  %51 = load i32, ptr %5, align 4, !tbaa !18
  %52 = add nsw i32 %50, %51
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds i32, ptr %48, i64 %53
  store i32 %47, ptr %54, align 4, !tbaa !18
  %55 = load i32, ptr %7, align 4, !tbaa !18
  %56 = sdiv i32 %55, 3
  %57 = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %56)
  %58 = load ptr, ptr %4, align 8, !tbaa !14
  %59 = load i32, ptr %6, align 4, !tbaa !18
  %60 = mul nsw i32 4, %59
  %61 = load i32, ptr %5, align 4, !tbaa !18
  %62 = add nsw i32 %60, %61
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds i32, ptr %58, i64 %63
  store i32 %57, ptr %64, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #5
  store i32 0, ptr %8, align 4, !tbaa !18
  %65 = load i32, ptr %7, align 4, !tbaa !18
  %66 = sdiv i32 %65, 100
  %67 = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %66)
  %68 = extractvalue { i32, i1 } %67, 1
  %69 = zext i1 %68 to i32
  store i32 %69, ptr %8, align 4
  %70 = extractvalue { i32, i1 } %67, 0
  %71 = load ptr, ptr %4, align 8, !tbaa !14
  %72 = load i32, ptr %6, align 4, !tbaa !18
  %73 = mul nsw i32 5, %72
  %74 = load i32, ptr %5, align 4, !tbaa !18
  %75 = add nsw i32 %73, %74
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds i32, ptr %71, i64 %76
  store i32 %70, ptr %77, align 4, !tbaa !18
  %78 = load i32, ptr %8, align 4, !tbaa !18
  %79 = load ptr, ptr %4, align 8, !tbaa !14
  %80 = load i32, ptr %6, align 4, !tbaa !18
  %81 = mul nsw i32 6, %80
  %82 = load i32, ptr %5, align 4, !tbaa !18
  %83 = add nsw i32 %81, %82
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds i32, ptr %79, i64 %84
  store i32 %78, ptr %85, align 4, !tbaa !18
  %86 = load i32, ptr %7, align 4, !tbaa !18
  %87 = call i32 @llvm.nvvm.redux.sync.add(i32 %86, i32 -1)
  %88 = load ptr, ptr %4, align 8, !tbaa !14
  %89 = load i32, ptr %6, align 4, !tbaa !18
  %90 = mul nsw i32 7, %89
  %91 = load i32, ptr %5, align 4, !tbaa !18
  %92 = add nsw i32 %90, %91
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds i32, ptr %88, i64 %93
  store i32 %87, ptr %94, align 4, !tbaa !18
  %95 = load i32, ptr %7, align 4, !tbaa !18
  %96 = sub nsw i32 %95, 4
  %97 = call i32 @llvm.nvvm.redux.sync.min(i32 %96, i32 -1)
  %98 = load ptr, ptr %4, align 8, !tbaa !14
  %99 = load i32, ptr %6, align 4, !tbaa !18
  %100 = mul nsw i32 8, %99
  %101 = load i32, ptr %5, align 4, !tbaa !18
  %102 = add nsw i32 %100, %101
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds i32, ptr %98, i64 %103
  store i32 %97, ptr %104, align 4, !tbaa !18
  %105 = load i32, ptr %7, align 4, !tbaa !18
  %106 = call i32 @llvm.nvvm.redux.sync.umax(i32 %105, i32 -1)
  %107 = load ptr, ptr %4, align 8, !tbaa !14
  %108 = load i32, ptr %6, align 4, !tbaa !18
  %109 = mul nsw i32 9, %108
  %110 = load i32, ptr %5, align 4, !tbaa !18
  %111 = add nsw i32 %109, %110
  %112 = sext i32 %111 to i64
  %113 = getelementptr inbounds i32, ptr %107, i64 %112
  store i32 %106, ptr %113, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #5
  ret void
}

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32) #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @partial_masks(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !14
  store ptr %1, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #5
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %8, ptr %5, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %9, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  %10 = load ptr, ptr %3, align 8, !tbaa !14
  %11 = load i32, ptr %5, align 4, !tbaa !18
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds i32, ptr %10, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !18
  store i32 %14, ptr %7, align 4, !tbaa !18
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = and i32 %15, 31
  %17 = icmp slt i32 %16, 12
  br i1 %17, label %18, label %34

18:                                               ; preds = %2
  %19 = load i32, ptr %7, align 4, !tbaa !18
  %20 = icmp sgt i32 %19, 2
  %21 = call i32 @llvm.nvvm.vote.ballot.sync(i32 4095, i1 %20)
  %22 = load ptr, ptr %4, align 8, !tbaa !14
  %23 = load i32, ptr %5, align 4, !tbaa !18
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  store i32 %21, ptr %25, align 4, !tbaa !18
  %26 = load i32, ptr %7, align 4, !tbaa !18
  %27 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 4095, i32 %26, i32 4, i32 31)
  %28 = load ptr, ptr %4, align 8, !tbaa !14
  %29 = load i32, ptr %6, align 4, !tbaa !18
  %30 = load i32, ptr %5, align 4, !tbaa !18
  %31 = add nsw i32 %29, %30
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %28, i64 %32
  store i32 %27, ptr %33, align 4, !tbaa !18
  br label %50

34:                                               ; preds = %2
  %35 = load i32, ptr %7, align 4, !tbaa !18
  %36 = icmp sgt i32 %35, 4
  %37 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -4096, i1 %36)
  %38 = load ptr, ptr %4, align 8, !tbaa !14
  %39 = load i32, ptr %5, align 4, !tbaa !18
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds i32, ptr %38, i64 %40
  store i32 %37, ptr %41, align 4, !tbaa !18
  %42 = load i32, ptr %7, align 4, !tbaa !18
  %43 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -4096, i32 %42, i32 20, i32 31)
  %44 = load ptr, ptr %4, align 8, !tbaa !14
  %45 = load i32, ptr %6, align 4, !tbaa !18
  %46 = load i32, ptr %5, align 4, !tbaa !18
  %47 = add nsw i32 %45, %46
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i32, ptr %44, i64 %48
  store i32 %43, ptr %49, align 4, !tbaa !18
  br label %50

50:                                               ; preds = %34, %18
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #5
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @active_lanes(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #5
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %5, ptr %3, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #5
  %6 = load i32, ptr %3, align 4, !tbaa !18
  %7 = urem i32 %6, 3
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %16

9:                                                ; preds = %1
  %10 = call i32 asm sideeffect "activemask.b32 $0;", "=r"() #6, !srcloc !20
  store i32 %10, ptr %4, align 4, !tbaa !18
  %11 = load i32, ptr %4, align 4, !tbaa !18
  %12 = load ptr, ptr %2, align 8, !tbaa !14
  %13 = load i32, ptr %3, align 4, !tbaa !18
  %14 = zext i32 %13 to i64
  %15 = getelementptr inbounds i32, ptr %12, i64 %14
  store i32 %11, ptr %15, align 4, !tbaa !18
  br label %21

16:                                               ; preds = %1
  %17 = load ptr, ptr %2, align 8, !tbaa !14
  %18 = load i32, ptr %3, align 4, !tbaa !18
  %19 = zext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  store i32 0, ptr %20, align 4, !tbaa !18
  br label %21

21:                                               ; preds = %16, %9
  %22 = call i32 asm sideeffect "activemask.b32 $0;", "=r"() #6, !srcloc !21
  store i32 %22, ptr %4, align 4, !tbaa !18
  %23 = load i32, ptr %4, align 4, !tbaa !18
  %24 = load ptr, ptr %2, align 8, !tbaa !14
  %25 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %26 = load i32, ptr %3, align 4, !tbaa !18
  %27 = add i32 %25, %26
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %24, i64 %28
  store i32 %23, ptr %29, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #5
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @block_reduce(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !14
  store ptr %1, ptr %5, align 8, !tbaa !14
  store i32 %2, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %12, ptr %7, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #5
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %15 = mul nsw i32 %13, %14
  %16 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %17 = add nsw i32 %15, %16
  store i32 %17, ptr %8, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #5
  %18 = load i32, ptr %8, align 4, !tbaa !18
  %19 = load i32, ptr %6, align 4, !tbaa !18
  %20 = icmp slt i32 %18, %19
  br i1 %20, label %21, label %27

21:                                               ; preds = %3
  %22 = load ptr, ptr %4, align 8, !tbaa !14
  %23 = load i32, ptr %8, align 4, !tbaa !18
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  %26 = load i32, ptr %25, align 4, !tbaa !18
  br label %28

27:                                               ; preds = %3
  br label %28

28:                                               ; preds = %27, %21
  %29 = phi i32 [ %26, %21 ], [ 0, %27 ]
  store i32 %29, ptr %9, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #5
  store i32 16, ptr %10, align 4, !tbaa !18
  br label %30

30:                                               ; preds = %40, %28
  %31 = load i32, ptr %10, align 4, !tbaa !18
  %32 = icmp ne i32 %31, 0
  br i1 %32, label %34, label %33

33:                                               ; preds = %30
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #5
  br label %43

34:                                               ; preds = %30
  %35 = load i32, ptr %9, align 4, !tbaa !18
  %36 = load i32, ptr %10, align 4, !tbaa !18
  %37 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %35, i32 %36, i32 31)
  %38 = load i32, ptr %9, align 4, !tbaa !18
  %39 = add nsw i32 %38, %37
  store i32 %39, ptr %9, align 4, !tbaa !18
  br label %40

40:                                               ; preds = %34
  %41 = load i32, ptr %10, align 4, !tbaa !18
  %42 = sdiv i32 %41, 2
  store i32 %42, ptr %10, align 4, !tbaa !18
  br label %30, !llvm.loop !22

43:                                               ; preds = %33
  %44 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %45 = and i32 %44, 31
  %46 = icmp eq i32 %45, 0
  br i1 %46, label %47, label %53

47:                                               ; preds = %43
  %48 = load i32, ptr %9, align 4, !tbaa !18
  %49 = load i32, ptr %7, align 4, !tbaa !18
  %50 = sdiv i32 %49, 32
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12block_reduceE1s to ptr), i64 0, i64 %51
  store i32 %48, ptr %52, align 4, !tbaa !18
  br label %53

53:                                               ; preds = %47, %43
  call void @llvm.nvvm.barrier0()
  %54 = load i32, ptr %7, align 4, !tbaa !18
  %55 = icmp slt i32 %54, 32
  br i1 %55, label %56, label %93

56:                                               ; preds = %53
  %57 = load i32, ptr %7, align 4, !tbaa !18
  %58 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %59 = add nsw i32 %58, 31
  %60 = sdiv i32 %59, 32
  %61 = icmp slt i32 %57, %60
  br i1 %61, label %62, label %67

62:                                               ; preds = %56
  %63 = load i32, ptr %7, align 4, !tbaa !18
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [32 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12block_reduceE1s to ptr), i64 0, i64 %64
  %66 = load i32, ptr %65, align 4, !tbaa !18
  br label %68

67:                                               ; preds = %56
  br label %68

68:                                               ; preds = %67, %62
  %69 = phi i32 [ %66, %62 ], [ 0, %67 ]
  store i32 %69, ptr %9, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #5
  store i32 16, ptr %11, align 4, !tbaa !18
  br label %70

70:                                               ; preds = %80, %68
  %71 = load i32, ptr %11, align 4, !tbaa !18
  %72 = icmp ne i32 %71, 0
  br i1 %72, label %74, label %73

73:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #5
  br label %83

74:                                               ; preds = %70
  %75 = load i32, ptr %9, align 4, !tbaa !18
  %76 = load i32, ptr %11, align 4, !tbaa !18
  %77 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %75, i32 %76, i32 31)
  %78 = load i32, ptr %9, align 4, !tbaa !18
  %79 = add nsw i32 %78, %77
  store i32 %79, ptr %9, align 4, !tbaa !18
  br label %80

80:                                               ; preds = %74
  %81 = load i32, ptr %11, align 4, !tbaa !18
  %82 = sdiv i32 %81, 2
  store i32 %82, ptr %11, align 4, !tbaa !18
  br label %70, !llvm.loop !24

83:                                               ; preds = %73
  %84 = load i32, ptr %7, align 4, !tbaa !18
  %85 = icmp eq i32 %84, 0
  br i1 %85, label %86, label %92

86:                                               ; preds = %83
  %87 = load i32, ptr %9, align 4, !tbaa !18
  %88 = load ptr, ptr %5, align 8, !tbaa !14
  %89 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i32, ptr %88, i64 %90
  store i32 %87, ptr %91, align 4, !tbaa !18
  br label %92

92:                                               ; preds = %86, %83
  br label %93

93:                                               ; preds = %92, %53
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #4

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @warp_rows(ptr noundef %0, ptr noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !14
  store ptr %1, ptr %6, align 8, !tbaa !14
  store ptr %2, ptr %7, align 8, !tbaa !14
  store i32 %3, ptr %8, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #5
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %16 = mul nsw i32 %14, %15
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = add nsw i32 %16, %17
  %19 = sdiv i32 %18, 32
  store i32 %19, ptr %9, align 4, !tbaa !18
  %20 = load i32, ptr %9, align 4, !tbaa !18
  %21 = load i32, ptr %8, align 4, !tbaa !18
  %22 = icmp sge i32 %20, %21
  br i1 %22, label %23, label %24

23:                                               ; preds = %4
  store i32 1, ptr %10, align 4
  br label %79

24:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #5
  store i32 0, ptr %11, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #5
  %25 = load ptr, ptr %5, align 8, !tbaa !14
  %26 = load i32, ptr %9, align 4, !tbaa !18
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds i32, ptr %25, i64 %27
  %29 = load i32, ptr %28, align 4, !tbaa !18
  %30 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %31 = and i32 %30, 31
  %32 = add nsw i32 %29, %31
  store i32 %32, ptr %12, align 4, !tbaa !18
  br label %33

33:                                               ; preds = %51, %24
  %34 = load i32, ptr %12, align 4, !tbaa !18
  %35 = load ptr, ptr %5, align 8, !tbaa !14
  %36 = load i32, ptr %9, align 4, !tbaa !18
  %37 = add nsw i32 %36, 1
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i32, ptr %35, i64 %38
  %40 = load i32, ptr %39, align 4, !tbaa !18
  %41 = icmp slt i32 %34, %40
  br i1 %41, label %43, label %42

42:                                               ; preds = %33
  store i32 2, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #5
  br label %54

43:                                               ; preds = %33
  %44 = load ptr, ptr %6, align 8, !tbaa !14
  %45 = load i32, ptr %12, align 4, !tbaa !18
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i32, ptr %44, i64 %46
  %48 = load i32, ptr %47, align 4, !tbaa !18
  %49 = load i32, ptr %11, align 4, !tbaa !18
  %50 = add nsw i32 %49, %48
  store i32 %50, ptr %11, align 4, !tbaa !18
  br label %51

51:                                               ; preds = %43
  %52 = load i32, ptr %12, align 4, !tbaa !18
  %53 = add nsw i32 %52, 32
  store i32 %53, ptr %12, align 4, !tbaa !18
  br label %33, !llvm.loop !25

54:                                               ; preds = %42
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #5
  store i32 16, ptr %13, align 4, !tbaa !18
  br label %55

55:                                               ; preds = %65, %54
  %56 = load i32, ptr %13, align 4, !tbaa !18
  %57 = icmp ne i32 %56, 0
  br i1 %57, label %59, label %58

58:                                               ; preds = %55
  store i32 5, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #5
  br label %68

59:                                               ; preds = %55
  %60 = load i32, ptr %11, align 4, !tbaa !18
  %61 = load i32, ptr %13, align 4, !tbaa !18
  %62 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %60, i32 %61, i32 31)
  %63 = load i32, ptr %11, align 4, !tbaa !18
  %64 = add nsw i32 %63, %62
  store i32 %64, ptr %11, align 4, !tbaa !18
  br label %65

65:                                               ; preds = %59
  %66 = load i32, ptr %13, align 4, !tbaa !18
  %67 = sdiv i32 %66, 2
  store i32 %67, ptr %13, align 4, !tbaa !18
  br label %55, !llvm.loop !26

68:                                               ; preds = %58
  %69 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %70 = and i32 %69, 31
  %71 = icmp eq i32 %70, 0
  br i1 %71, label %72, label %78

72:                                               ; preds = %68
  %73 = load i32, ptr %11, align 4, !tbaa !18
  %74 = load ptr, ptr %7, align 8, !tbaa !14
  %75 = load i32, ptr %9, align 4, !tbaa !18
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds i32, ptr %74, i64 %76
  store i32 %73, ptr %77, align 4, !tbaa !18
  br label %78

78:                                               ; preds = %72, %68
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #5
  store i32 0, ptr %10, align 4
  br label %79

79:                                               ; preds = %78, %23
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #5
  %80 = load i32, ptr %10, align 4
  switch i32 %80, label %82 [
    i32 0, label %81
    i32 1, label %81
  ]

81:                                               ; preds = %79, %79
  ret void

82:                                               ; preds = %79
  unreachable
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @warp_loop(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !14
  store ptr %1, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #5
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %8, ptr %5, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  %9 = load ptr, ptr %3, align 8, !tbaa !14
  %10 = load i32, ptr %5, align 4, !tbaa !18
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds i32, ptr %9, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !18
  store i32 %13, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  store i32 0, ptr %7, align 4, !tbaa !18
  br label %14

14:                                               ; preds = %18, %2
  %15 = load i32, ptr %6, align 4, !tbaa !18
  %16 = icmp sgt i32 %15, 0
  %17 = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %16)
  br i1 %17, label %18, label %27

18:                                               ; preds = %14
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %20 = and i32 %19, 31
  %21 = and i32 %20, 1
  %22 = add nsw i32 1, %21
  %23 = load i32, ptr %6, align 4, !tbaa !18
  %24 = sub nsw i32 %23, %22
  store i32 %24, ptr %6, align 4, !tbaa !18
  %25 = load i32, ptr %7, align 4, !tbaa !18
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %7, align 4, !tbaa !18
  br label %14, !llvm.loop !27

27:                                               ; preds = %14
  %28 = load i32, ptr %7, align 4, !tbaa !18
  %29 = mul nsw i32 %28, 100
  %30 = load i32, ptr %6, align 4, !tbaa !18
  %31 = add nsw i32 %29, %30
  %32 = load ptr, ptr %4, align 8, !tbaa !14
  %33 = load i32, ptr %5, align 4, !tbaa !18
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds i32, ptr %32, i64 %34
  store i32 %31, ptr %35, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #5
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @vote_after_return(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !14
  store ptr %1, ptr %5, align 8, !tbaa !14
  store i32 %2, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %7, align 4, !tbaa !18
  %11 = load i32, ptr %7, align 4, !tbaa !18
  %12 = load i32, ptr %6, align 4, !tbaa !18
  %13 = icmp sge i32 %11, %12
  br i1 %13, label %14, label %15

14:                                               ; preds = %3
  store i32 1, ptr %8, align 4
  br label %34

15:                                               ; preds = %3
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #5
  %16 = load ptr, ptr %4, align 8, !tbaa !14
  %17 = load i32, ptr %7, align 4, !tbaa !18
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds i32, ptr %16, i64 %18
  %20 = load i32, ptr %19, align 4, !tbaa !18
  store i32 %20, ptr %9, align 4, !tbaa !18
  %21 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %22 = load ptr, ptr %5, align 8, !tbaa !14
  %23 = load i32, ptr %7, align 4, !tbaa !18
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  store i32 %21, ptr %25, align 4, !tbaa !18
  %26 = load i32, ptr %9, align 4, !tbaa !18
  %27 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %26, i32 1, i32 31)
  %28 = load ptr, ptr %5, align 8, !tbaa !14
  %29 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %30 = load i32, ptr %7, align 4, !tbaa !18
  %31 = add nsw i32 %29, %30
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %28, i64 %32
  store i32 %27, ptr %33, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #5
  store i32 0, ptr %8, align 4
  br label %34

34:                                               ; preds = %15, %14
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  %35 = load i32, ptr %8, align 4
  switch i32 %35, label %37 [
    i32 0, label %36
    i32 1, label %36
  ]

36:                                               ; preds = %34, %34
  ret void

37:                                               ; preds = %34
  unreachable
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @aggregate(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !14
  store ptr %1, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #5
  %8 = load ptr, ptr %3, align 8, !tbaa !14
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds i32, ptr %8, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !18
  store i32 %12, ptr %5, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  %13 = load i32, ptr %5, align 4, !tbaa !18
  %14 = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %13)
  store i32 %14, ptr %6, align 4, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #5
  %15 = load i32, ptr %6, align 4, !tbaa !18
  %16 = call i32 @llvm.cttz.i32(i32 %15, i1 true)
  store i32 %16, ptr %7, align 4, !tbaa !18
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = and i32 %17, 31
  %19 = load i32, ptr %7, align 4, !tbaa !18
  %20 = icmp eq i32 %18, %19
  br i1 %20, label %21, label %29

21:                                               ; preds = %2
  %22 = load ptr, ptr %4, align 8, !tbaa !14
  %23 = load i32, ptr %5, align 4, !tbaa !18
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  %26 = load i32, ptr %6, align 4, !tbaa !18
  %27 = call i32 @llvm.ctpop.i32(i32 %26)
  %28 = atomicrmw add ptr %25, i32 %27 seq_cst, align 4
  br label %29

29:                                               ; preds = %21, %2
  %30 = load i32, ptr %6, align 4, !tbaa !18
  %31 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %32 = load i32, ptr %7, align 4, !tbaa !18
  %33 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %30, i32 %31, i32 %32, i32 31)
  %34 = load ptr, ptr %4, align 8, !tbaa !14
  %35 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %36 = add nsw i32 100, %35
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i32, ptr %34, i64 %37
  store i32 %33, ptr %38, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.cttz.i32(i32, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #2

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @float_shuffle(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca float, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !14
  store ptr %1, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #5
  %7 = load ptr, ptr %3, align 8, !tbaa !14
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds float, ptr %7, i64 %9
  %11 = load float, ptr %10, align 4, !tbaa !28
  store float %11, ptr %5, align 4, !tbaa !28
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  store i32 16, ptr %6, align 4, !tbaa !18
  br label %12

12:                                               ; preds = %22, %2
  %13 = load i32, ptr %6, align 4, !tbaa !18
  %14 = icmp ne i32 %13, 0
  br i1 %14, label %16, label %15

15:                                               ; preds = %12
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  br label %25

16:                                               ; preds = %12
  %17 = load float, ptr %5, align 4, !tbaa !28
  %18 = load i32, ptr %6, align 4, !tbaa !18
  %19 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %17, i32 %18, i32 31)
  %20 = load float, ptr %5, align 4, !tbaa !28
  %21 = fadd float %20, %19
  store float %21, ptr %5, align 4, !tbaa !28
  br label %22

22:                                               ; preds = %16
  %23 = load i32, ptr %6, align 4, !tbaa !18
  %24 = sdiv i32 %23, 2
  store i32 %24, ptr %6, align 4, !tbaa !18
  br label %12, !llvm.loop !30

25:                                               ; preds = %15
  %26 = load float, ptr %5, align 4, !tbaa !28
  %27 = load ptr, ptr %4, align 8, !tbaa !14
  %28 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %27, i64 %29
  store float %26, ptr %30, align 4, !tbaa !28
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #5
  ret void
}

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @warp_barrier(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !14
  store ptr %1, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #5
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %7, ptr %5, align 4, !tbaa !18
  %8 = load ptr, ptr %3, align 8, !tbaa !14
  %9 = load i32, ptr %5, align 4, !tbaa !18
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds i32, ptr %8, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !18
  %13 = load i32, ptr %5, align 4, !tbaa !18
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12warp_barrierE1s to ptr), i64 0, i64 %14
  store i32 %12, ptr %15, align 4, !tbaa !18
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  %16 = load i32, ptr %5, align 4, !tbaa !18
  %17 = xor i32 %16, 1
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12warp_barrierE1s to ptr), i64 0, i64 %18
  %20 = load i32, ptr %19, align 4, !tbaa !18
  store i32 %20, ptr %6, align 4, !tbaa !18
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %21 = load i32, ptr %6, align 4, !tbaa !18
  %22 = mul nsw i32 %21, 3
  %23 = load i32, ptr %5, align 4, !tbaa !18
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12warp_barrierE1s to ptr), i64 0, i64 %24
  store i32 %22, ptr %25, align 4, !tbaa !18
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %26 = load i32, ptr %5, align 4, !tbaa !18
  %27 = xor i32 %26, 2
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [128 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ12warp_barrierE1s to ptr), i64 0, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !18
  %31 = load ptr, ptr %4, align 8, !tbaa !14
  %32 = load i32, ptr %5, align 4, !tbaa !18
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i32, ptr %31, i64 %33
  store i32 %30, ptr %34, align 4, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #5
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #4

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10}
!llvm.module.flags = !{!11, !12, !13}

!0 = !{ptr @shuffles, !"kernel", i32 1}
!1 = !{ptr @votes, !"kernel", i32 1}
!2 = !{ptr @partial_masks, !"kernel", i32 1}
!3 = !{ptr @active_lanes, !"kernel", i32 1}
!4 = !{ptr @block_reduce, !"kernel", i32 1}
!5 = !{ptr @warp_rows, !"kernel", i32 1}
!6 = !{ptr @warp_loop, !"kernel", i32 1}
!7 = !{ptr @vote_after_return, !"kernel", i32 1}
!8 = !{ptr @aggregate, !"kernel", i32 1}
!9 = !{ptr @float_shuffle, !"kernel", i32 1}
!10 = !{ptr @warp_barrier, !"kernel", i32 1}
!11 = !{i32 1, !"wchar_size", i32 4}
!12 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!13 = !{i32 7, !"frame-pointer", i32 2}
!14 = !{!15, !15, i64 0}
!15 = !{!"any pointer", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C++ TBAA"}
!18 = !{!19, !19, i64 0}
!19 = !{!"int", !16, i64 0}
!20 = !{i64 2063}
!21 = !{i64 2182}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.mustprogress"}
!24 = distinct !{!24, !23}
!25 = distinct !{!25, !23}
!26 = distinct !{!26, !23}
!27 = distinct !{!27, !23}
!28 = !{!29, !29, i64 0}
!29 = !{!"float", !16, i64 0}
!30 = distinct !{!30, !23}
